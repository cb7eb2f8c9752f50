"""The HTTP service and the `trawl` command line."""
