"""An S3 endpoint that lists one object in any bucket, and keeps what it was asked."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web

_LISTING = """\
<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
<Name>bucket</Name><KeyCount>1</KeyCount><MaxKeys>100</MaxKeys><IsTruncated>false</IsTruncated>
<Contents><Key>{key}</Key><LastModified>2025-01-01T00:00:00.000Z</LastModified><Size>7</Size></Contents>
</ListBucketResult>"""


@dataclass(slots=True)
class S3Endpoint:
    key: str
    url: str = ""
    asked: list[str] = field(default_factory=list)

    async def answer(self, request: web.Request) -> web.Response:
        self.asked.append(request.path_qs)
        return web.Response(text=_LISTING.format(key=self.key), content_type="application/xml")


@asynccontextmanager
async def s3_endpoint(key: str) -> AsyncIterator[S3Endpoint]:
    """Run an endpoint whose buckets hold this key."""
    endpoint = S3Endpoint(key)
    app = web.Application()
    app.router.add_get("/{bucket}", endpoint.answer)
    runner = web.AppRunner(app, shutdown_timeout=1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        endpoint.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        yield endpoint
    finally:
        await runner.cleanup()
