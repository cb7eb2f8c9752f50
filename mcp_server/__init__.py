"""What callers can do, declared as operations, and the MCP server that offers them."""
