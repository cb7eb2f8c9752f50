"""The web pages as static files: no build step, no external resources."""
