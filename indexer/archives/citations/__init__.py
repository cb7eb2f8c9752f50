"""Citations between archive documents: links are stored as keys at ingestion and resolved to documents by searches."""
