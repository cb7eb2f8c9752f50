"""Background jobs on Celery: ingestion and re-indexing."""
