"""The request body of an upload: a multipart form with all files in one tar stream."""

import secrets
from collections.abc import AsyncIterator, Callable

from workers.local_files import TAR, LocalFiles


def multipart_body(files: LocalFiles, on_sent: Callable[[int], None]) -> tuple[str, AsyncIterator[bytes]]:
    """Return the content type and the body; `on_sent` gets the size of each file that was sent."""
    boundary = secrets.token_hex(16)

    async def body() -> AsyncIterator[bytes]:
        yield _part(boundary, 'name="root"') + files.source.root_name.encode() + b"\r\n"
        yield _part(boundary, 'name="origin"') + files.source.origin.encode() + b"\r\n"
        yield _part(boundary, 'name="mirror"') + str(files.mirror).lower().encode() + b"\r\n"
        yield _part(boundary, f'name="files"; filename="{TAR}"', "application/x-tar")
        for chunk in files.tar(on_sent):
            yield chunk
        yield f"\r\n--{boundary}--\r\n".encode()

    return f"multipart/form-data; boundary={boundary}", body()


def _part(boundary: str, disposition: str, content_type: str = "text/plain") -> bytes:
    return (
        f"--{boundary}\r\nContent-Disposition: form-data; {disposition}\r\nContent-Type: {content_type}\r\n\r\n"
    ).encode()
