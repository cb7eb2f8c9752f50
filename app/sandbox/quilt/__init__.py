"""A sandbox of Quilt: a catalog and its registry over GraphQL and Elasticsearch, S3 listings, and sample data."""
