"""The OpenAPI document: FastAPI describes routes and results, this module adds the arguments of operations."""

from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema

from app.http.form import FORM
from indexer.arguments import Arguments
from indexer.errors import Failure
from mcp_server.operation import Operation
from mcp_server.route import Route

_REFERENCE = "#/components/schemas/{model}"


def add_openapi(app: FastAPI, operations: Sequence[Operation[Any, Any]]) -> None:
    """Replace the application's OpenAPI document. It is built at the first request for it."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _build_document(app, operations)
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]  # FastAPI documents this override


def _build_document(app: FastAPI, operations: Sequence[Operation[Any, Any]]) -> dict[str, Any]:
    routes = [*_described(operations).routes, *app.routes]
    document = get_openapi(title=app.title, version=app.version, description=app.description, routes=routes)
    models = {operation.name: _argument_model(operation) for operation in operations if not operation.route.is_form}
    _, definitions = models_json_schema([(model, "validation") for model in models.values()], ref_template=_REFERENCE)
    schemas: dict[str, Any] = definitions.get("$defs", {})
    for operation in operations:
        if operation.name not in models:
            continue
        route, schema = operation.route, schemas[models[operation.name].__name__]
        described = document["paths"][route.path.replace(":path}", "}")][route.method.lower()]
        # FastAPI does not know the arguments: the endpoints read them from the request.
        described["parameters"] = _parameters(route, schema)
        described["responses"].pop("422", None)
        if route.has_body:
            described["requestBody"] = _request_body(route, schema)
    top_level = {model.__name__ for model in models.values()}
    nested = {name: schema for name, schema in schemas.items() if name not in top_level}
    document.setdefault("components", {}).setdefault("schemas", {}).update(nested)
    return document


def _described(operations: Sequence[Operation[Any, Any]]) -> APIRouter:
    """Return the routes of operations as FastAPI describes them. They are never called."""
    router = APIRouter()
    for operation in operations:
        route = operation.route
        router.add_api_route(
            route.path,
            _no_endpoint,
            methods=[route.method],
            name=operation.name,
            operation_id=operation.name,
            summary=route.summary or operation.title,
            description="Take the files as they come in; the answer names the job." if route.is_form else None,
            response_model=operation.result,
            responses={"default": {"model": Failure, "description": "A failure, and what to do about it"}},
            tags=[route.path.removeprefix("/api/v1/").partition("/")[0]],
            openapi_extra={"requestBody": FORM} if route.is_form else None,
        )
    return router


def _no_endpoint() -> None:
    raise NotImplementedError


def _argument_model(operation: Operation[Any, Any]) -> type[Arguments]:
    return operation.route.takes or operation.arguments


def _parameters(route: Route, schema: dict[str, Any]) -> list[dict[str, Any]]:
    parameters = []
    for name, described in schema.get("properties", {}).items():
        location = "path" if name in route.path_arguments else "query"
        if location == "query" and route.has_body:
            continue
        parameters.append(
            {
                "name": name,
                "in": location,
                "required": location == "path",
                "description": described.get("description", ""),
                "schema": _parameter_schema(location, described),
            }
        )
    return parameters


def _parameter_schema(location: str, described: dict[str, Any]) -> dict[str, Any]:
    schema = {key: value for key, value in described.items() if key not in {"title", "description"}}
    if location == "path":
        # A path parameter is always given as text, so neither its default nor null is shown.
        schema.pop("default", None)
        schema |= next((option for option in schema.pop("anyOf", []) if option.get("type") == "string"), {})
    return schema


def _request_body(route: Route, schema: dict[str, Any]) -> dict[str, Any]:
    properties = {name: value for name, value in schema["properties"].items() if name not in route.path_arguments}
    required = [name for name in schema.get("required", ()) if name in properties]
    body = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return {"required": bool(required), "content": {"application/json": {"schema": body}}}
