"""The MCP server and its transports: tools, resources and prompts, built from the operations."""
