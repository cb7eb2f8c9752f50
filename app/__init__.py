"""HTTP, the page and the command line."""
