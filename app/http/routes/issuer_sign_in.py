"""Signing in to the page at the issuer: the way there, and the way back."""

import logging
from collections.abc import Mapping
from typing import Final

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import Scope

from app.auth.authentication import is_wrong, origin_of
from app.auth.identity import Identity
from app.auth.login.token_request import SignInRefused
from app.auth.sessions.issuer_flow import Kept, NotAdmitted
from app.auth.sessions.issuer_for_browsers import CALLBACK, IssuerForBrowsers
from app.auth.sessions.next_path import HOME, safe_next
from app.http.sign_in_page import sign_in_page
from indexer.errors import Authentication, PlatformError, RateLimited
from mcp_server.audit.call_audit import CallAudit

_log = logging.getLogger(__name__)
_SEE_OTHER: Final = 303
_DECLINED: Final = "access_denied"
_OAUTH_ERRORS: Final = frozenset(
    {
        *("invalid_request", "unauthorized_client", "unsupported_response_type", "invalid_scope", "server_error"),
        *("temporarily_unavailable", "invalid_client", "invalid_grant", "unsupported_grant_type", "invalid_target"),
        *("login_required", "interaction_required", "consent_required", "account_selection_required", "id_token"),
    }
)
"""The codes that a log may repeat; anything else could be any text."""


def add_issuer_sign_in(app: FastAPI, audit: CallAudit, identity: Identity, issuer: IssuerForBrowsers) -> None:
    """Add `/auth/issuer` and `/auth/callback`."""

    async def begin(request: Request) -> Response:
        """Send the browser to the issuer."""
        next_path = safe_next(request.query_params.get("next"))
        try:
            address, cookie = await issuer.flow.begin(next_path)
        except PlatformError as error:
            return RedirectResponse(sign_in_page(next_path, _problem_of(error)), _SEE_OTHER)
        response = RedirectResponse(address, _SEE_OTHER)
        response.headers.append("set-cookie", issuer.cookie.setting(request.scope, cookie))
        return response

    async def finish(request: Request) -> Response:
        """Take the answer that the browser brings back, which no other browser may bring and none twice."""
        scope, kept = request.scope, issuer.flow.kept(issuer.cookie.read(request.scope))
        next_path = HOME if kept is None else kept.next
        try:
            cookie = await _enter(scope, kept, dict(request.query_params))
        except PlatformError as error:
            if is_wrong(error):
                origin = origin_of(scope)
                audit.authentication_failed(origin.client, origin.address)
            response = RedirectResponse(sign_in_page(next_path, _problem_of(error)), _SEE_OTHER)
        else:
            response = RedirectResponse(next_path, _SEE_OTHER)
            response.headers.append("set-cookie", identity.sessions.cookie.setting(scope, cookie))
        response.headers.append("set-cookie", issuer.cookie.clearing(scope))
        return response

    async def _enter(scope: Scope, kept: Kept | None, answer: Mapping[str, str]) -> str:
        # Bounded like wrong tokens: each answer makes this service ask the issuer.
        issued, verified = await identity.authentication.attempt(
            answer.get("code", ""), origin_of(scope), lambda: issuer.flow.finish(kept, answer)
        )
        return await identity.entrance.enter(
            scope,
            verified.subject,
            lambda id_: issuer.sessions.sign_in(id_, issued, expires_at=verified.expires_at),
        )

    app.add_route("/auth/issuer", begin, methods=["GET"], include_in_schema=False)
    app.add_route(CALLBACK, finish, methods=["GET"], include_in_schema=False)


def _problem_of(error: PlatformError) -> str:
    """Return what the page is told, in one word; the log tells the operator what the issuer did not accept."""
    if isinstance(error, NotAdmitted):
        return "refused"
    if isinstance(error, SignInRefused):
        code = error.details["reason"]
        if code == _DECLINED:
            return "denied"
        shown = code if code in _OAUTH_ERRORS else "for another reason"
        _log.warning("The issuer refused a sign-in: %s", shown, extra={"part": "issuer"})
        return "failed"
    if isinstance(error, Authentication):
        return "expired"
    return "busy" if isinstance(error, RateLimited) else "unavailable"
