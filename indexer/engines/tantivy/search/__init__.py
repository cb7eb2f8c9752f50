"""From a search request to tantivy's queries, and from its hits to ours."""
