"""Index definitions: analysis of text, terms of metadata, sortable fields. Independent of the engine."""
