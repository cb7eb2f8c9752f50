"""MCP itself: the server, its transports, and how operations, resources and prompts appear in it."""
