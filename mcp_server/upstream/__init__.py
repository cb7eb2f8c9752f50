"""Calls to external services: the guard before each, the HTTP transport, and how upstreams are opened."""
