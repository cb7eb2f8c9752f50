"""Checking and building OSDU queries."""
