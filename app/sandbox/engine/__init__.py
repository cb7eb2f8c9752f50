"""A small search engine in memory that answers the search requests of Elasticsearch which the sandboxes need."""
