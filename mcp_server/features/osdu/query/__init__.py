"""Checks and builds OSDU queries."""
