"""The engine port on an OpenSearch cluster."""
