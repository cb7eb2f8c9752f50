"""Limits: how fast a caller may call, how much a team may do at a time, and how much it may have."""
