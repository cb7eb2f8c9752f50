"""Lucene's query syntax, which OSDU and Quilt share."""
