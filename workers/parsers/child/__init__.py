"""The child process that parses, with limits on memory and time."""
