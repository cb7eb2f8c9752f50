"""Two engines behind one port."""
