"""Web pages as a source: guarded requests that respect robots.txt."""
