"""The query language: parses text and filters into a tree and validates it against an index definition."""
