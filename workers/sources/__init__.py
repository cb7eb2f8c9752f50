"""Sources of documents: folders, uploads, web pages, S3 buckets."""
