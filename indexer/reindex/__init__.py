"""Building an index anew while it serves and takes writes."""
