"""Finds where a quotation stands, though it may differ from the text in words, hyphens and line breaks."""
