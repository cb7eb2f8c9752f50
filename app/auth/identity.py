"""All that tells who calls: tokens, sessions of browsers, and the issuer if there is one; opened from the settings."""

from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Self

from app.auth.authentication import RequestAuthentication
from app.auth.sessions.entrance import Entrance
from app.auth.sessions.sessions import Sessions
from app.auth.token_verifier import TokenVerifier
from app.settings import AppSettings
from mcp_server.access.denied_subjects import DeniedSubjects
from mcp_server.access.session_store import SessionStore
from mcp_server.services import Services

if TYPE_CHECKING:
    from app.auth.oidc.issuer_tokens import IssuerTokens
    from app.auth.sessions.issuer_for_browsers import IssuerForBrowsers


class Identity:
    """Opened without contacting anything. As a context manager it ends what runs beside the requests."""

    def __init__(
        self, settings: AppSettings, services: Services, keys: tuple[bytes, ...], *, local_secret: str
    ) -> None:
        """Take the service's secret keys, the current one first."""
        records = services.library.engine.records
        store, verifier = SessionStore(records), TokenVerifier(services.tokens)
        self._tokens = _issuer_tokens(settings, DeniedSubjects(records))
        self.issuer = None if self._tokens is None else _issuer_for_browsers(settings, self._tokens, store, keys)
        self.sessions = Sessions(
            store, verifier, keys, public_url=settings.address, issuer=self.issuer.sessions if self.issuer else None
        )
        self.entrance = Entrance(self.sessions, services.audit)
        self.authentication = RequestAuthentication(
            settings,
            verifier,
            services.limits.failed_attempts,
            local_secret=local_secret,
            others=self._tokens,
            sessions=self.sessions,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        async with AsyncExitStack() as closing:
            for part in (self._tokens, self.issuer, self.sessions):
                if part is not None:
                    closing.push_async_callback(part.aclose)


def _issuer_tokens(settings: AppSettings, denied: DeniedSubjects) -> "IssuerTokens | None":
    if settings.oidc_issuer is None:
        return None
    from app.auth.oidc.issuer_tokens import IssuerTokens  # noqa: PLC0415 - slow to import, and few services have one

    return IssuerTokens(settings, settings.oidc_issuer, denied)


def _issuer_for_browsers(
    settings: AppSettings, tokens: "IssuerTokens", store: SessionStore, keys: tuple[bytes, ...]
) -> "IssuerForBrowsers | None":
    if settings.oidc_issuer is None or settings.oidc_client_id is None:
        return None
    from app.auth.sessions.issuer_for_browsers import IssuerForBrowsers  # noqa: PLC0415 - as above

    return IssuerForBrowsers(
        settings, settings.oidc_issuer, settings.oidc_client_id, tokens=tokens, store=store, keys=keys
    )
