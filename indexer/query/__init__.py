"""The query language: text and filters to a tree, checked against a definition."""
