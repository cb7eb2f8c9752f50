"""Routes that are not operations: health, metrics and web pages."""
