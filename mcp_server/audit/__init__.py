"""The audit of calls: one record for each, and of refusals only so many."""
