"""Runs a `SearchRequest` on tantivy: compile, sort, count facets, highlight, explain."""
