"""Counts how much each team searches, and how often it finds nothing."""
