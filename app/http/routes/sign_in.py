"""Signing in to the page with a token, and out of it; who is signed in."""

from importlib.metadata import version
from typing import Any, Final
from urllib.parse import parse_qs

import orjson
from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import Scope

from app.auth.authentication import SessionEnded, is_wrong, origin_of, token_principal
from app.auth.identity import Identity
from app.auth.sessions.next_path import safe_next
from app.auth.team_choice import TeamNotChosen, in_team
from app.http.own_pages import refuse_foreign_page
from app.http.responses import json_response
from app.http.sign_in_page import SIGN_IN_PAGE, sign_in_page
from app.settings import AppSettings
from indexer.errors import Authentication, Invalid, NotApplicable, PlatformError, RateLimited
from indexer.tenancy import Principal
from mcp_server.access.scopes import SCOPES
from mcp_server.access.session_store import TokenSignIn
from mcp_server.services import Services

LOGIN_LIMIT: Final = 20_000
"""How long the body of a sign-in may be."""
_SEE_OTHER: Final = 303
_FORM: Final = "application/x-www-form-urlencoded"
_NOBODY: Final[dict[str, Any]] = {"signed_in": False, "subject": None, "team": None, "teams": [], "scopes": []}


def add_sign_in(app: FastAPI, services: Services, settings: AppSettings, identity: Identity) -> None:
    """Add `/auth/session`, `/auth/login` for POST, `/auth/logout`, and the routes to the issuer if there is one."""
    routes = _SignIn(services, settings, identity)
    for path, endpoint, method in (
        ("/auth/session", routes.session, "GET"),
        (SIGN_IN_PAGE, routes.log_in, "POST"),
        ("/auth/logout", routes.log_out, "POST"),
    ):
        app.add_route(path, endpoint, methods=[method], include_in_schema=False)
    if identity.issuer is not None:
        from app.http.routes.issuer_sign_in import add_issuer_sign_in  # noqa: PLC0415 - few services have an issuer

        add_issuer_sign_in(app, services.audit, identity, identity.issuer)


class _SignIn:
    def __init__(self, services: Services, settings: AppSettings, identity: Identity) -> None:
        self._services = services
        self._authentication = identity.authentication
        self._sessions = identity.sessions
        self._entrance = identity.entrance
        self._known = {
            "can_sign_in_with_issuer": identity.issuer is not None,
            "public_url": settings.address,
            "version": version("trawl"),
        }

    async def session(self, request: Request) -> Response:
        """Say who is signed in, and give the page its CSRF token."""
        scope = request.scope
        described = {"success": True, **self._known, "needs_sign_in": self._authentication.is_required(scope)}
        cookie = self._authentication.session_cookie(scope)
        try:
            found = await self._describe(scope)
        except Authentication as error:
            self._record(error, scope)
            response = json_response({**described, **_NOBODY, "csrf": None})
            if isinstance(error, SessionEnded):
                response.headers.append("set-cookie", self._sessions.cookie.clearing(scope))
            return response
        csrf = None if cookie is None else self._sessions.csrf_token(cookie)
        return json_response({**described, **found, "csrf": csrf})

    async def log_in(self, request: Request) -> Response:
        """Sign in with a token, as JSON or by a form."""
        scope = request.scope
        refuse_foreign_page(scope, self._services.public_url)
        given, is_form = await _read(request)
        next_path = safe_next(given.get("next") or request.query_params.get("next"))
        try:
            cookie = await self._enter(scope, given.get("token", ""))
        except PlatformError as error:
            self._record(error, scope)
            if is_form:
                return RedirectResponse(sign_in_page(next_path, _problem_of(error)), _SEE_OTHER)
            raise
        answer = {"success": True, "csrf": self._sessions.csrf_token(cookie), "next": next_path}
        response = RedirectResponse(next_path, _SEE_OTHER) if is_form else json_response(answer)
        response.headers.append("set-cookie", self._sessions.cookie.setting(scope, cookie))
        return response

    async def log_out(self, request: Request) -> Response:
        """Sign out; nothing to do for a browser in which nobody is signed in."""
        await self._entrance.leave(request.scope)
        response = json_response({"success": True})
        response.headers.append("set-cookie", self._sessions.cookie.clearing(request.scope))
        return response

    async def _enter(self, scope: Scope, token: str) -> str:
        if not self._authentication.is_required(scope):
            raise NotApplicable("This service needs no sign-in", action="Go on without it")
        origin = origin_of(scope)
        record = await self._authentication.own_token(token, origin)
        # Signing in is a call with the token like any other, and no faster than these.
        await self._services.limits.enter(token_principal(record, None, origin), is_search=False)
        return await self._entrance.enter(scope, record.subject, lambda _: TokenSignIn(record.digest, record.team))

    async def _describe(self, scope: Scope) -> dict[str, Any]:
        try:
            return _shown(await self._authentication.principal(scope))
        except TeamNotChosen as error:
            if not error.teams:
                return {**_NOBODY, "signed_in": True}
            # Who it is does not depend on the team.
            principal = await self._authentication.principal(in_team(scope, error.teams[0]))
            return {**_shown(principal), "team": None, "teams": list(error.teams)}

    def _record(self, error: PlatformError, scope: Scope) -> None:
        if is_wrong(error):
            origin = origin_of(scope)
            self._services.audit.authentication_failed(origin.client, origin.address)


def _shown(principal: Principal) -> dict[str, Any]:
    return {
        "signed_in": True,
        "subject": principal.subject,
        "team": principal.team,
        "teams": list(principal.teams or (principal.team,)),
        "scopes": [scope for scope in SCOPES if scope in principal.scopes],
    }


async def _read(request: Request) -> tuple[dict[str, str], bool]:
    """Return the texts that were sent, and whether a form sent them."""
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    raw = await request.body()
    if media_type == _FORM:
        fields = parse_qs(raw.decode("utf-8", "replace"), max_num_fields=10)
        return {name: values[-1].strip() for name, values in fields.items()}, True
    try:
        sent = orjson.loads(raw) if media_type == "application/json" else None
    except orjson.JSONDecodeError:
        sent = None
    if not isinstance(sent, dict):
        raise Invalid("A sign-in is a JSON object or a form", action='Send {"token": "trawl_…"} as application/json')
    return {name: value.strip() for name, value in sent.items() if isinstance(value, str)}, False


def _problem_of(error: PlatformError) -> str:
    """Return what the page is told, in one word."""
    if isinstance(error, Authentication):
        return "token"
    return "busy" if isinstance(error, RateLimited) else "unavailable"
