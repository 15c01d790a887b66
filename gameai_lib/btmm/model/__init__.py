"""The Bradley-Terry model: competitions, the ways to fit it, and how sure and how good a fit is."""
