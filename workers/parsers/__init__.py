"""Parsers: the bytes of one file or page become a `ParsedDocument`, in a child process with limits (`child/`)."""
