"""Where documents come from: folders, uploads, pages, buckets."""
