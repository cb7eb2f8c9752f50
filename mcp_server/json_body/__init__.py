"""Bounds on the JSON in request bodies, checked before anything is built from it."""
