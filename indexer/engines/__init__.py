"""The engine port and its two implementations."""
