"""Local indices: documents that callers add one by one."""
