"""Archives: ingested files and pages, with title, date, places in the original, and citations. One per team."""
