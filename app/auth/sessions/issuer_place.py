"""Where people of the issuer sign in: its endpoints, asked for again from time to time."""

import time
from collections.abc import Callable
from typing import Final

from app.auth.login.sign_in_place import SignInPlace, place_at
from app.auth.oidc.issuer_http import IssuerHttp

_FRESH_SECONDS: Final = 600


class IssuerPlace:
    """The place of this service's issuer. Nothing is asked before the first sign-in."""

    def __init__(
        self,
        http: IssuerHttp,
        issuer: str,
        *,
        client_id: str,
        resource: str,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take what tokens are for: the address of this service."""
        self._http = http
        self._issuer = issuer
        self._client_id = client_id
        self._resource = resource
        self._now = now
        self._known: tuple[float, SignInPlace] | None = None

    async def get(self) -> SignInPlace:
        """Return the place; `IssuerUnavailable` if it cannot be known now."""
        if self._known is None or self._now() - self._known[0] > _FRESH_SECONDS:
            place = await place_at(self._http, self._issuer, resource=self._resource, client_id=self._client_id)
            self._known = self._now(), place
        return self._known[1]
