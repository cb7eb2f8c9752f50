"""The embedded service's child processes: a private Redis and one worker."""
