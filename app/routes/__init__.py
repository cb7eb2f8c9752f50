"""What the service offers over HTTP, one file a resource."""

from app.calls import Call
from app.routes import archives, documents, everywhere, indices, jobs, osdu, quilt, search, status, web

ALL_CALLS: tuple[Call, ...] = (
    *indices.CALLS,
    *documents.CALLS,
    *search.CALLS,
    *archives.CALLS,
    *jobs.CALLS,
    *osdu.CALLS,
    *quilt.CALLS,
    *everywhere.CALLS,
    *web.CALLS,
    *status.CALLS,
)
