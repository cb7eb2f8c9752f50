"""Lucene's query syntax, for OSDU and Quilt: lexer, parser, escaping."""
