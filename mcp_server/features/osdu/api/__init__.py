"""Requests to the OSDU search API and its responses."""
