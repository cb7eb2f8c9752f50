"""The HTTP service: a route per operation, health, metrics, and the web pages."""
