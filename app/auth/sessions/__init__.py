"""Sessions of browsers: a cookie in the place of a token."""
