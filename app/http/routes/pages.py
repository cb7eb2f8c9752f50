"""The page: one frame for all views, and the files that show them. They hold nothing of any team."""

from typing import Final

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import compile_path
from starlette.types import Scope

from app.http.responses import json_response
from app.http.routes.search_address import asks_for_json, search_arguments
from app.http.sign_in_page import SIGN_IN_PAGE
from app.page.files import PREFIX, page_files
from mcp_server.features.everywhere.operations import SEARCH
from mcp_server.icon import svg
from mcp_server.principal import principal_of
from mcp_server.route import no_such_path
from mcp_server.run import run

_ICON_PATH: Final = "/icon.svg"
_HOME: Final = "/"
_VIEWS: Final = (
    *("/indices", "/indices/{name}", "/jobs", "/jobs/{id}", "/graph/{id}", "/feed"),
    *("/connect", "/account", "/admin", "/docs", SIGN_IN_PAGE),
)
_PATTERNS: Final = tuple(compile_path(path)[0] for path in (_HOME, *_VIEWS))
_ONE_YEAR: Final = "public, max-age=31536000, immutable"


def is_page(scope: Scope) -> bool:
    """Say whether the request is for the frame of a view or one of its files, which need no token."""
    path = scope["path"]
    if path == _HOME and asks_for_json(scope):
        return False
    return path == _ICON_PATH or path.startswith(PREFIX) or any(each.fullmatch(path) for each in _PATTERNS)


def add_pages(app: FastAPI) -> None:
    """Add the views, their files and the icon."""

    async def view(_: Request) -> Response:
        return HTMLResponse(page_files().shell(), headers={"cache-control": "no-cache"})

    async def home(request: Request) -> Response:
        if not asks_for_json(request.scope):
            return await view(request)
        arguments = search_arguments(request.query_params)
        services, principal = request.app.state.services, principal_of(request.scope)
        found = await run(SEARCH, services, principal, arguments)
        return json_response(found)

    async def file(request: Request) -> Response:
        files = page_files()
        found = files.files.get(request.path_params["name"])
        if found is None:
            raise no_such_path()
        # Another process may serve another version for a while: a browser must not keep this file under that name.
        caching = _ONE_YEAR if request.path_params["version"] == files.version else "no-store"
        headers = {"cache-control": caching, "vary": "accept-encoding"}
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(found.content, media_type=found.media_type, headers=headers)
        headers["content-encoding"] = "gzip"
        return Response(found.gzipped(), media_type=found.media_type, headers=headers)

    async def icon(_: Request) -> Response:
        return Response(svg(), media_type="image/svg+xml", headers={"cache-control": "no-cache"})

    paths = {_HOME: home, PREFIX + "{version}/{name:path}": file, _ICON_PATH: icon, **dict.fromkeys(_VIEWS, view)}
    for path, endpoint in paths.items():
        app.add_route(path, endpoint, methods=["GET", "HEAD"], include_in_schema=False)
