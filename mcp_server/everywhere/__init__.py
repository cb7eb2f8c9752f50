"""One question to all sources at once: asked side by side, each for its own time, and ranked together."""
