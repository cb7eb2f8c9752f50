"""One logical index of one team: its record in the registry, its generations, and safe writes to it."""
