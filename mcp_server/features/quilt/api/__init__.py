"""Requests to the catalog and its tokens."""
