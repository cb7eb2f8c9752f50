"""Jobs: their records, leases, and what callers are told about them."""
