"""The chapter on NTBEA: tuning with few noisy evaluations."""
