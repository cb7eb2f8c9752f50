"""A local OpenSearch cluster without Docker, assembled from published Maven artifacts."""
