"""The web pages: a home page and the HTTP reference."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response

from mcp_server.icon import svg

_FOLDER: Final = Path(__file__).parent.parent.parent / "page"
_ICON_PATH: Final = "/icon.svg"
_PAGES: Final = {
    "/": ("home.html", "text/html"),
    "/docs": ("reference.html", "text/html"),
    "/docs/home.js": ("home.js", "text/javascript"),
    "/docs/reference.js": ("reference.js", "text/javascript"),
    "/docs/reference.css": ("reference.css", "text/css"),
}


def is_page(path: str) -> bool:
    """Say whether this is a file of the pages, which holds nothing of any team."""
    return path in _PAGES or path == _ICON_PATH


def add_pages(app: FastAPI) -> None:
    """Add a route for each file; the files are served from memory."""
    for path, (name, media_type) in _PAGES.items():
        endpoint = _page_endpoint((_FOLDER / name).read_bytes(), media_type)
        app.add_route(path, endpoint, methods=["GET", "HEAD"], include_in_schema=False)
    app.add_route(_ICON_PATH, _page_endpoint(svg(), "image/svg+xml"), methods=["GET", "HEAD"], include_in_schema=False)


def _page_endpoint(content: bytes, media_type: str) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(_: Request) -> Response:
        return Response(content, media_type=media_type, headers={"cache-control": "no-cache"})

    return endpoint
