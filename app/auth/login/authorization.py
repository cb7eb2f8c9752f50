"""The authorization code flow with PKCE: what the browser is sent with, and what it may bring back."""

import asyncio
import base64
import hashlib
import secrets
from collections.abc import Callable, Mapping
from typing import Final
from urllib.parse import urlencode

from app.auth.login.callback import Callback
from app.auth.login.sign_in_place import SignInPlace
from app.auth.login.token_request import IssuedTokens, SignInRefused, request_tokens
from app.auth.oidc.issuer_http import IssuerHttp
from indexer.errors import Authentication

_RANDOM_BYTES: Final = 32


async def authorize(
    http: IssuerHttp, place: SignInPlace, scope: str, open_browser: Callable[[str], object]
) -> IssuedTokens:
    """Send the user's browser to the issuer, wait for its return, and change the code for tokens."""
    state, verifier = secrets.token_urlsafe(_RANDOM_BYTES), secrets.token_urlsafe(_RANDOM_BYTES)
    async with Callback(state) as callback:
        request = {
            "response_type": "code",
            "client_id": place.client_id,
            "redirect_uri": callback.redirect_uri,
            "scope": scope,
            "state": state,
            "code_challenge": _challenge(verifier),
            "code_challenge_method": "S256",
            "resource": place.resource,
        }
        if "offline_access" in scope.split():
            # OpenID Connect gives a token for later only where the user agreed to it.
            request["prompt"] = "consent"
        separator = "&" if "?" in place.authorization_endpoint else "?"
        # In a thread: a browser in the terminal returns when it ends, and needs its answer before.
        await asyncio.to_thread(open_browser, f"{place.authorization_endpoint}{separator}{urlencode(request)}")
        code = _read_code(await callback.wait(), place)
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": callback.redirect_uri,
        "client_id": place.client_id,
        "code_verifier": verifier,
        "resource": place.resource,
    }
    return await request_tokens(http, place.token_endpoint, form)


def _challenge(verifier: str) -> str:
    digest = hashlib.sha256(verifier.encode()).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def _read_code(answer: Mapping[str, str], place: SignInPlace) -> str:
    issuer = answer.get("iss")
    must_name_issuer = place.metadata.document.get("authorization_response_iss_parameter_supported") is True
    if issuer != place.metadata.issuer and (issuer is not None or must_name_issuer):
        # RFC 9207: an answer of another issuer would send this code to the wrong place.
        raise Authentication("The answer came from another sign-in service", action="Run `trawl login` again")
    code = answer.get("code")
    if code is None:
        raise SignInRefused(answer.get("error"))
    return code
