"""Deployment: the container image, and a local OpenSearch without Docker."""
