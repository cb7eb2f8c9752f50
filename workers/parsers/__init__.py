"""Raw bytes of one file or page in, a `ParsedDocument` out; done in a child process with limits (`child.py`)."""
