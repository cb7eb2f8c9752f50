"""The OpenAPI document: FastAPI describes routes and results, this adds what the calls take."""

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema

from app.calls import Call

_REFERENCE = "#/components/schemas/{model}"


def describe(app: FastAPI, calls: tuple[Call, ...]) -> None:
    """Make the application's document complete; it is built at the first request for it."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _document(app, calls)
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]  # the way FastAPI documents for this


def _document(app: FastAPI, calls: tuple[Call, ...]) -> dict[str, Any]:
    document = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
    _, definitions = models_json_schema([(call.arguments, "validation") for call in calls], ref_template=_REFERENCE)
    schemas: dict[str, Any] = definitions["$defs"]
    for call in calls:
        schema = schemas[call.arguments.__name__]
        operation = document["paths"][call.path.replace(":path}", "}")][call.method.lower()]
        # FastAPI knows of no arguments: the endpoints read them from the request themselves
        operation["parameters"] = _parameters(call, schema)
        operation["responses"].pop("422", None)
        if call.method == "POST":
            operation["requestBody"] = _body(call, schema)
    nested = {name: schema for name, schema in schemas.items() if name not in {c.arguments.__name__ for c in calls}}
    document.setdefault("components", {}).setdefault("schemas", {}).update(nested)
    return document


def _parameters(call: Call, schema: dict[str, Any]) -> list[dict[str, Any]]:
    parameters = []
    for name, described in schema.get("properties", {}).items():
        place = "path" if name in call.path_arguments else "query"
        if place == "query" and call.method == "POST":
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


def _body(call: Call, schema: dict[str, Any]) -> dict[str, Any]:
    left = {name: value for name, value in schema["properties"].items() if name not in call.path_arguments}
    required = [name for name in schema.get("required", ()) if name in left]
    body = {"type": "object", "properties": left, "required": required, "additionalProperties": False}
    return {"required": bool(required), "content": {"application/json": {"schema": body}}}
