"""From a search request to OpenSearch's query language, and from its response to hits."""
