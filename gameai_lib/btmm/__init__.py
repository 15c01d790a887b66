"""Bradley-Terry models and minorize-maximize: strengths from results, patterns from games."""
