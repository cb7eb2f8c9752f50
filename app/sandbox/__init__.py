"""Sandboxes of OSDU and Quilt: servers that speak their wire formats strictly, with sample data."""
