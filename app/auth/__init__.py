"""Authentication of HTTP requests: from a bearer token to a principal."""
