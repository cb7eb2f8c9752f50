"""The engine port on tantivy and SQLite, in a data folder."""
