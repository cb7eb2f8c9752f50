"""A sandbox of OSDU: the search API v2, its rules, and sample records."""
