"""Routes that are no operations: health, metrics, pages; and uploads, whose body is a form."""
