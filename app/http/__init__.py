"""The HTTP service: routes for all operations, health, metrics and the page's files."""
