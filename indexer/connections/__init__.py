"""Settings that differ by team, from the file that TRAWL_CONNECTIONS names."""
