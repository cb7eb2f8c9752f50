"""Jobs: their records, their leases, and what callers see of them."""
