"""Verifies JSON Web Tokens of one issuer: signature, issuer, audience and times."""

import hashlib
import time
from collections.abc import Mapping
from typing import Any, Final

from cachetools import TLRUCache
from jwt import PyJWK, PyJWT
from jwt import exceptions as failures

from app.auth.authentication import InvalidToken
from app.auth.oidc.claims import VerifiedToken, read_claims
from app.auth.oidc.key_cache import KeyCache
from app.settings import AppSettings

_SKEW_SECONDS: Final = 60
_MAX_REMEMBERED: Final = 10_000
_TYPES: Final = frozenset({"", "jwt", "at+jwt", "application/at+jwt"})
"""Other kinds of tokens, such as those that end a session, are signed by the same keys."""
_REQUIRED: Final = ("exp", "iss", "aud", "sub")
_SIGN_IN: Final = "Sign in again to get a new token for this service"
_REASONS: Final[tuple[tuple[type[failures.PyJWTError], str], ...]] = (
    (failures.ExpiredSignatureError, "The token has expired"),
    (failures.ImmatureSignatureError, "The token is not valid yet"),
    (failures.InvalidAudienceError, "The token is meant for another service"),
    (failures.InvalidIssuerError, "The token is from another issuer"),
    (failures.MissingRequiredClaimError, "The token lacks one of the claims exp, iss, aud and sub"),
    (failures.PyJWTError, "The token cannot be read"),
)


class JwtVerifier:
    """Verifies each token once, and remembers it until it expires or the issuer's keys change."""

    def __init__(self, settings: AppSettings, issuer: str, keys: KeyCache) -> None:
        self._settings = settings
        self._issuer = issuer
        self._keys = keys
        self._jwt = PyJWT({"require": list(_REQUIRED), "enforce_minimum_key_length": True})
        self._verified: TLRUCache[tuple[int, bytes], VerifiedToken] = TLRUCache(
            _MAX_REMEMBERED, ttu=lambda _, token, __: token.expires_at + _SKEW_SECONDS, timer=time.time
        )

    async def verify(self, token: str) -> VerifiedToken:
        """Return what a valid token says; `InvalidToken` for any other."""
        await self._keys.refresh()
        # Kept by digest, so that no usable token stays in memory.
        digest = hashlib.sha256(token.encode()).digest()
        known = self._verified.get((self._keys.revision, digest))
        if known is not None:
            return known
        verified = await self._verify(token)
        self._verified[self._keys.revision, digest] = verified
        return verified

    async def _verify(self, token: str) -> VerifiedToken:
        header = self._read_header(token)
        algorithm = header.get("alg")
        if algorithm not in self._settings.oidc_algorithms:
            raise _invalid("The token is signed in a way that is not accepted")
        for key in await self._keys.find(str(algorithm), header.get("kid")):
            try:
                return self._read(self._decode(token, key))
            except failures.InvalidSignatureError:
                continue  # A token without a key id may be signed with any of several keys.
            except failures.PyJWTError as error:
                raise _invalid(next(reason for kind, reason in _REASONS if isinstance(error, kind))) from None
        raise _invalid("The token's signature cannot be verified")

    def _read_header(self, token: str) -> Mapping[str, Any]:
        """Refuse what needs no key to be refused, so that it causes no request to the issuer."""
        try:
            unverified = self._jwt.decode_complete(token, options={"verify_signature": False, "require": []})
        except (failures.PyJWTError, UnicodeEncodeError):
            raise _invalid("The token cannot be read") from None
        header: Mapping[str, Any] = unverified["header"]
        if str(header.get("typ") or "").lower() not in _TYPES or "crit" in header:
            raise _invalid("The token is of a kind that is not accepted")
        if unverified["payload"].get("iss") != self._issuer:
            raise _invalid("The token is from another issuer")
        return header

    def _decode(self, token: str, key: PyJWK) -> Mapping[str, Any]:
        return self._jwt.decode(
            token,
            key,
            algorithms=[key.algorithm_name],
            audience=self._settings.audiences,
            issuer=self._issuer,
            leeway=_SKEW_SECONDS,
        )

    def _read(self, claims: Mapping[str, Any]) -> VerifiedToken:
        if "cnf" in claims:
            # Its holder would have to prove a key, which this service does not ask for.
            raise _invalid("The token is bound to a key, and this service takes bearer tokens")
        settings = self._settings
        return read_claims(claims, team_claim=settings.oidc_team_claim, scope_claim=settings.oidc_scope_claim)


def _invalid(reason: str) -> InvalidToken:
    return InvalidToken(reason, action=_SIGN_IN)
