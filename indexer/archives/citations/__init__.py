"""Who cites whom: found when parsed, joined when read."""
