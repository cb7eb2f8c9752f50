"""Text: cleaned, cut to size and compared; knows nothing of indices."""
