"""Parses and checks a search and its filters before any request is sent."""
