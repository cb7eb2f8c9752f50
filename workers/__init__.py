"""Background work with Celery: ingestion and re-indexing."""
