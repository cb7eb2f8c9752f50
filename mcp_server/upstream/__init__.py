"""The three upstreams, one folder each, behind one guard."""
