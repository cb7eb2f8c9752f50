"""Ingestion: plan which files to read, process them in chunks, finish the job."""
