"""Local indices: a team creates them and adds documents of text and metadata."""
