"""Requests to OSDU and its answers."""
