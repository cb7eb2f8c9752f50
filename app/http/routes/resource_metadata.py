"""The metadata of this protected resource (RFC 9728), for clients that look for the place where tokens come from."""

from typing import Any

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response

from app.http.responses import json_response
from mcp_server.access.challenge import DEFAULT_SCOPE, METADATA_PATH


def add_resource_metadata(app: FastAPI, public_url: str, issuer: str | None, client_id: str | None = None) -> None:
    """Serve the document for the service as a whole and for each MCP endpoint: clients ask for either form."""
    for resource in ("", "/mcp", "/mcp/read"):
        document = _document(public_url + resource, issuer, client_id)

        async def endpoint(_: Request, document: dict[str, Any] = document) -> Response:
            return json_response(document, headers={"cache-control": "max-age=300"})

        app.add_route(METADATA_PATH + resource, endpoint, methods=["GET", "HEAD"], include_in_schema=False)


def _document(resource: str, issuer: str | None, client_id: str | None) -> dict[str, Any]:
    document: dict[str, Any] = {
        "resource": resource,
        "resource_name": "Trawl",
        "scopes_supported": [DEFAULT_SCOPE],
        "bearer_methods_supported": ["header"],
    }
    # Without an issuer there is nobody to send a client to: an operator hands out Trawl's own tokens.
    if issuer is not None:
        document["authorization_servers"] = [issuer]
        if client_id is not None:
            # For `trawl login`; RFC 9728 lets a document have more parameters than those it names.
            document["trawl_client_id"] = client_id
    return document
