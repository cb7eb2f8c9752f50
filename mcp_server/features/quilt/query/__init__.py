"""A search of the catalog: checked, with its filters, before anything goes out."""
