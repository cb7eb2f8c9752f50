"""The body of an upload: a form whose files are one stream of tar."""

import secrets
from collections.abc import AsyncIterator, Callable

from workers.local_files import TAR, LocalFiles


def multipart(files: LocalFiles, sent: Callable[[int], None]) -> tuple[str, AsyncIterator[bytes]]:
    """Return the content type and the body of an upload."""
    boundary = secrets.token_hex(16)

    async def body() -> AsyncIterator[bytes]:
        yield _part(boundary, 'name="root"') + files.source.root.encode() + b"\r\n"
        yield _part(boundary, 'name="origin"') + files.source.origin.encode() + b"\r\n"
        yield _part(boundary, 'name="mirror"') + str(files.mirror).lower().encode() + b"\r\n"
        yield _part(boundary, f'name="files"; filename="{TAR}"', "application/x-tar")
        for piece in files.tar(sent):
            yield piece
        yield f"\r\n--{boundary}--\r\n".encode()

    return f"multipart/form-data; boundary={boundary}", body()


def _part(boundary: str, disposition: str, content_type: str = "text/plain") -> bytes:
    return (
        f"--{boundary}\r\nContent-Disposition: form-data; {disposition}\r\nContent-Type: {content_type}\r\n\r\n"
    ).encode()
