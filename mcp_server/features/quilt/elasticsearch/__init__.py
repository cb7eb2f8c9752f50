"""The Elasticsearch backend, for catalogs without GraphQL search."""
