"""The MCP front end: tools, resources and prompts."""
