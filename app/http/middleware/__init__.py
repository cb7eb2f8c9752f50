"""Middleware around every route, as plain ASGI: nothing is copied or buffered."""
