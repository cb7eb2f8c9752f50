"""The page of one document: `/d/{id}`, with its text for readers without JavaScript, everything escaped."""

import re
from html import escape
from typing import Any, Final

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import HTMLResponse

from app.http.failures import STATUS
from app.page.files import page_files
from indexer.errors import PlatformError
from mcp_server.features.everywhere.document_fields import web_address
from mcp_server.features.simple.operations import FETCH
from mcp_server.features.simple.results import FetchResult
from mcp_server.principal import principal_of
from mcp_server.run import run

PATH: Final = "/d/{id}"
_MAX_CHARS: Final = 200_000
_BLANK_LINES: Final = re.compile(r"\n\s*\n")
_SHOWN_FIELDS: Final = ("source", "index_name", "path", "date", "authors", "author", "doi", "s3_uri", "kind")


def add_document_page(app: FastAPI) -> None:
    """Add the page."""
    app.add_route(PATH, _document_page, methods=["GET", "HEAD"], include_in_schema=False)


async def _document_page(request: Request) -> HTMLResponse:
    files = page_files()
    arguments: dict[str, Any] = {"id": request.path_params["id"], "max_chars": _MAX_CHARS}
    offset = request.query_params.get("offset", "0")
    arguments["offset"] = int(offset) if offset.isascii() and offset.isdigit() and len(offset) < 10 else 0
    try:
        result = await run(FETCH, request.app.state.services, principal_of(request.scope), arguments)
    except PlatformError as error:
        return HTMLResponse(files.shell(error.message, _failure_html(error)), status_code=STATUS[error.category])
    return HTMLResponse(files.shell(result["title"], _document_html(result)))


def _document_html(result: FetchResult) -> str:
    metadata = result["metadata"]
    parts = [f"<h1>{escape(result['title'])}</h1>"]
    known = [str(_joined(metadata[name])) for name in _SHOWN_FIELDS if metadata.get(name)]
    parts.append(f'<p class="known">{escape(" · ".join(known))}</p>')
    if web_address(result["url"]) and not result["url"].endswith(f"/d/{result['id']}"):
        url = escape(result["url"])
        parts.append(f'<p><a href="{url}" rel="noreferrer">{url}</a></p>')
    paragraphs = [paragraph for paragraph in _BLANK_LINES.split(result["text"]) if paragraph.strip()]
    if paragraphs and paragraphs[0].lstrip("# ").strip() == result["title"]:
        del paragraphs[0]
    parts += [f"<p>{escape(paragraph)}</p>" for paragraph in paragraphs]
    if "next_offset" in metadata:
        parts.append(f'<p><a href="?offset={metadata["next_offset"]}">Read on</a></p>')
    body = "\n".join(parts)
    return f'<article class="document">\n{body}\n</article>'


def _joined(value: object) -> object:
    return ", ".join(map(str, value)) if isinstance(value, list) else value


def _failure_html(error: PlatformError) -> str:
    return f"<h1>{escape(error.message)}</h1>\n<p>{escape(error.action)}.</p>"
