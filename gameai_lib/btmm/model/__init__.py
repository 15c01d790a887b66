"""Bradley-Terry models of competitions between teams of features.

- the data: `competitions`, made by `build`, kept on disk in `shards`; `tally` has the kernels
  that pass over them;
- the method: `fit` runs a rule of `mm` or `accelerate` to its end; `existence` says whether
  there is a maximum to reach, `empirical` how strong a prior the data ask for;
- what comes of it: `elo`, `scores` of predictions, `covariance` of strengths;
- `players` who are known by name, with draws and home advantage.
"""
