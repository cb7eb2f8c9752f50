"""A real OpenSearch without Docker, from published artifacts."""
