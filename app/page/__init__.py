"""The pages as files: no build step, nothing from elsewhere."""
