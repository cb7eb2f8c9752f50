"""One module per command, with a click command named `command`; the others print results, jobs and failures."""
