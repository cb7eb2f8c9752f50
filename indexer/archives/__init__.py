"""Archives: documents with titles, dates, places and citations."""
