"""The contest between tuners: rivals, the dials of NTBEA, and stored results."""
