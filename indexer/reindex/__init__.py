"""Re-indexing: builds a new generation of an index while the index serves searches and accepts writes."""
