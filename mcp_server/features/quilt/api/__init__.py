"""HTTP requests to the catalog and its registry, and the tokens for them."""
