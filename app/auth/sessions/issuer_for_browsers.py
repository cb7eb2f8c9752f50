"""The issuer, as browsers need it: to sign in there, and to stay signed in."""

from app.auth.oidc.issuer_http import IssuerHttp
from app.auth.oidc.issuer_tokens import IssuerTokens
from app.auth.sessions.cookies import Cookie
from app.auth.sessions.issuer_flow import SECONDS, IssuerFlow
from app.auth.sessions.issuer_place import IssuerPlace
from app.auth.sessions.issuer_sessions import IssuerSessions
from app.settings import AppSettings
from mcp_server.access.session_store import SessionStore

CALLBACK = "/auth/callback"
_COOKIE = "trawl_sign_in"


class IssuerForBrowsers:
    """Opened without asking the issuer for anything."""

    def __init__(
        self,
        settings: AppSettings,
        issuer: str,
        client_id: str,
        *,
        tokens: IssuerTokens,
        store: SessionStore,
        keys: tuple[bytes, ...],
    ) -> None:
        """Take the service's secret keys, the current one first."""
        self._http = IssuerHttp(settings.oidc_ca)
        place = IssuerPlace(self._http, issuer, client_id=client_id, resource=settings.address)
        self.cookie = Cookie(_COOKIE, SECONDS, settings.address)
        self.flow = IssuerFlow(tokens, self._http, place, keys, redirect_uri=settings.address + CALLBACK)
        self.sessions = IssuerSessions(store, tokens, self._http, place, keys)

    async def aclose(self) -> None:
        """Let renewals end, and close the connections."""
        await self.sessions.aclose()
        await self._http.aclose()
