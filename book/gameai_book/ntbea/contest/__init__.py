"""The contest between tuners: rivals, the settings of NTBEA, and why it is as it is."""
