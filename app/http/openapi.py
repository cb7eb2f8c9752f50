"""The OpenAPI document: FastAPI describes routes and results, this adds what the operations take."""

from collections.abc import Sequence
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema

from indexer.arguments import Arguments
from mcp_server.operation import Operation
from mcp_server.route import Route

_REFERENCE = "#/components/schemas/{model}"


def describe(app: FastAPI, operations: Sequence[Operation[Any, Any]]) -> None:
    """Make the application's document complete; it is built at the first request for it."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _document(app, operations)
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]  # the way FastAPI documents for this


def _document(app: FastAPI, operations: Sequence[Operation[Any, Any]]) -> dict[str, Any]:
    document = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
    taken = {operation.name: _taken(operation) for operation in operations if not operation.route.is_form}
    _, definitions = models_json_schema([(takes, "validation") for takes in taken.values()], ref_template=_REFERENCE)
    schemas: dict[str, Any] = definitions.get("$defs", {})
    for operation in operations:
        if operation.name not in taken:
            continue
        route, schema = operation.route, schemas[taken[operation.name].__name__]
        described = document["paths"][route.path.replace(":path}", "}")][route.method.lower()]
        # FastAPI knows of no arguments: the endpoints read them from the request themselves
        described["parameters"] = _parameters(route, schema)
        described["responses"].pop("422", None)
        if route.has_body:
            described["requestBody"] = _body(route, schema)
    own = {takes.__name__ for takes in taken.values()}
    nested = {name: schema for name, schema in schemas.items() if name not in own}
    document.setdefault("components", {}).setdefault("schemas", {}).update(nested)
    return document


def _taken(operation: Operation[Any, Any]) -> type[Arguments]:
    return operation.route.takes or operation.arguments


def _parameters(route: Route, schema: dict[str, Any]) -> list[dict[str, Any]]:
    parameters = []
    for name, described in schema.get("properties", {}).items():
        place = "path" if name in route.path_arguments else "query"
        if place == "query" and route.has_body:
            continue
        # what the path says has no default
        hidden = {"title", "description", *(("default",) if place == "path" else ())}
        parameters.append(
            {
                "name": name,
                "in": place,
                "required": place == "path",
                "description": described.get("description", ""),
                "schema": {key: value for key, value in described.items() if key not in hidden},
            }
        )
    return parameters


def _body(route: Route, schema: dict[str, Any]) -> dict[str, Any]:
    left = {name: value for name, value in schema["properties"].items() if name not in route.path_arguments}
    required = [name for name in schema.get("required", ()) if name in left]
    body = {"type": "object", "properties": left, "required": required, "additionalProperties": False}
    return {"required": bool(required), "content": {"application/json": {"schema": body}}}
