"""Parsing in a child process with limits on time and memory.

Parent's side: `parser.py` and `process.py`. Child's side: `main.py`. Both sides: `wire.py` and `limits.py`.
"""
