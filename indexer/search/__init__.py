"""One page of search results, for any kind of index."""
