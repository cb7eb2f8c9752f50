"""Embedded mode: a private Redis and one worker as child processes, and the file that announces the service."""
