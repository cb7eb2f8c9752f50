"""Whether the service can do its work: what is probed for `/readyz` and `trawl doctor`."""
