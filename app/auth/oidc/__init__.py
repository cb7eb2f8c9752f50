"""Tokens of an OpenID Connect issuer. Trawl checks them and issues none: it is a resource server."""
