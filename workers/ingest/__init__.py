"""Ingestion: plan what to read, work through it in chunks, finish."""
