"""Web pages as a source: fetched politely and guarded."""
