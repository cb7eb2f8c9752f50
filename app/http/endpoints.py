"""REST routes of operations: reads arguments from requests, and turns failures into responses."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import orjson
from fastapi import FastAPI, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import BaseRoute, Match, Route

from app.http.failures import failure_response
from app.http.form import UploadForm
from app.http.responses import json_response
from indexer.arguments import Arguments
from indexer.errors import Invalid, NotApplicable, PlatformError
from mcp_server.json_body.bounds import MAX_DEPTH
from mcp_server.operation import Operation
from mcp_server.principal import principal_of
from mcp_server.route import no_such_path
from mcp_server.run import run
from mcp_server.services import Services
from mcp_server.wrong_arguments import read_arguments

_LIST_ARGUMENTS: Final = frozenset({"sort", "facets", "ids"})
_JSON_ARGUMENTS: Final = _LIST_ARGUMENTS | {"filters"}
Endpoint = Callable[[Request], Awaitable[Response]]


def add_operation(app: FastAPI, operation: Operation[Any, Any]) -> None:
    """Add the operation's route. An operation that is not offered keeps its route, which refuses every call."""
    route = operation.route
    endpoint = _form_endpoint(operation) if route.is_form else _endpoint(operation)
    # A route of FastAPI takes ten times as long to make, so `openapi.py` makes those when somebody asks.
    served = Route(route.path, endpoint, methods=[route.method], name=operation.name)
    # Starlette adds HEAD to GET, which would run the operation for nothing.
    served.methods = {route.method}
    app.router.routes.append(served)


def add_failure_handlers(app: FastAPI) -> None:
    """Respond to every expected failure with a `Failure` object."""
    app.add_exception_handler(PlatformError, _handle_platform_error)
    app.add_exception_handler(HTTPException, _handle_http_exception)


def _endpoint(operation: Operation[Any, Any]) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        services: Services = request.app.state.services
        principal = principal_of(request.scope)
        return json_response(await run(operation, services, principal, lambda: _read_arguments(operation, request)))

    return endpoint


def _form_endpoint(operation: Operation[Any, Any]) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        services: Services = request.app.state.services
        principal = principal_of(request.scope)
        async with UploadForm(request, services.uploads) as form:
            return json_response(await run(operation, services, principal, form.read))

    return endpoint


async def _read_arguments(operation: Operation[Any, Any], request: Request) -> Arguments:
    route = operation.route
    model = route.takes or operation.arguments
    in_path = route.read_path(request.scope["raw_path"])
    if not route.has_body:
        given = _read_query(model, request)
    elif request.scope["query_string"]:
        raise Invalid("This call takes no query string", action="Send the arguments as JSON in the body")
    else:
        given = await _read_body(request)
    arguments = read_arguments(model, _merge(given, in_path))
    return arguments if route.bind is None else operation.read(route.bind(arguments))


def _read_query(model: type[Arguments], request: Request) -> dict[str, Any]:
    pairs = request.query_params.multi_items()
    values: dict[str, Any] = dict(pairs)
    if len(values) != len(pairs):
        raise Invalid("An argument is given twice", action="Give each argument once")
    for name in values.keys() & _JSON_ARGUMENTS:
        if name in model.model_fields:
            values[name] = _parse_structured(name, values[name])
    return values


def _parse_structured(name: str, text: str) -> Any:
    """Parse a list or an object from JSON; lists may also be comma-separated."""
    if name in _LIST_ARGUMENTS and not text.lstrip().startswith("["):
        return [part.strip() for part in text.split(",") if part.strip()]
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        raise Invalid(f"{name} is not valid JSON", action=f"Write {name} as JSON and percent-encode it") from None


async def _read_body(request: Request) -> dict[str, Any]:
    raw = await request.body()
    if not raw:
        return {}
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json" and not (
        media_type.startswith("application/") and media_type.endswith("+json")
    ):
        raise Invalid("The body must be JSON", action="Send JSON with the header Content-Type: application/json")
    services: Services = request.app.state.services
    body = await services.bodies.check(raw)
    try:
        value = body.restored(orjson.loads(body.json))
    except orjson.JSONDecodeError as error:
        raise Invalid(
            "The body is not valid JSON",
            action=f"Send one JSON object in UTF-8, nested at most {MAX_DEPTH} levels deep",
            details={"line": error.lineno, "column": error.colno},
        ) from None
    if not isinstance(value, dict):
        raise Invalid("The body must be a JSON object", action='Send an object of arguments, like {"query": "reef"}')
    return value


def _merge(arguments: Mapping[str, Any], in_path: Mapping[str, str]) -> dict[str, Any]:
    for name, value in in_path.items():
        if arguments.get(name) not in (None, value):
            raise Invalid(
                f"{name} differs from the one in the path", action=f"Leave {name} out; the path says it already"
            )
    return {**arguments, **in_path}


async def _handle_platform_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, PlatformError)  # noqa: S101 - registered for this type alone
    services: Services = request.app.state.services
    return failure_response(error, challenge_for=(services.public_url, request.scope["path"]))


async def _handle_http_exception(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for this type alone
    if error.status_code == 405:
        allowed = ", ".join(sorted(_allowed_methods(request)))
        failure = NotApplicable(
            "This address does not take that method", action=f"Use {allowed}", details={"allowed": allowed}
        )
        response = failure_response(failure, status=405)
        response.headers["allow"] = allowed
        return response
    if error.status_code == 404:
        return failure_response(no_such_path())
    return failure_response(
        Invalid("The request cannot be read", action="See /docs for what there is"), status=error.status_code
    )


def _allowed_methods(request: Request) -> set[str]:
    """Return the methods of all routes with this path; the router's own 405 names those of one route only."""
    routes: list[BaseRoute] = request.app.routes
    return {
        method
        for route in routes
        if isinstance(route, Route) and route.matches(request.scope)[0] is not Match.NONE
        for method in route.methods or ()
    }
