"""Signing in from the command line: authorization code with PKCE, and the tokens that this machine keeps."""
