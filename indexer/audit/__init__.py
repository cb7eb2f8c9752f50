"""The audit trail: a record per call, in chains of hashes with signed heads that show what was changed or removed."""
