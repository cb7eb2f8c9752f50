"""The search library: no web, no Celery, no MCP, no Redis."""
