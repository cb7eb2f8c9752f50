"""Functions on text: cleaning, truncating, edit distance. Independent of indices."""
