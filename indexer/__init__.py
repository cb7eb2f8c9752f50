"""The search library. It needs no web framework, Celery, MCP or Redis."""
