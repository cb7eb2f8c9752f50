"""Reading beyond the first page with the service's cursors."""
