"""The port on an OpenSearch cluster."""
