"""Builds OpenSearch search bodies from a `SearchRequest`, and reads hits and facets from the response."""
