"""Search by the catalog's Elasticsearch."""
