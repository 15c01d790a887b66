"""The contest between tuners: rivals, the settings of NTBEA, and results."""
