"""What a connection above the limit is served: health alone, so that a full service can be told from a dead one."""

from collections import Counter

from starlette.types import ASGIApp, Receive, Scope, Send

from app.http.connection.refusals import FULL, too_many_connections
from app.http.failures import failure_response


class HealthOnly:
    """Passes requests for these paths to the application, and responds 503 to others."""

    def __init__(self, app: ASGIApp, paths: frozenset[str], refusals: Counter[str]) -> None:
        self._app = app
        self._paths = paths
        self._refusals = refusals

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] in self._paths:
            await self._app(scope, receive, send)
            return
        self._refusals[FULL.limit] += 1
        await failure_response(too_many_connections())(scope, receive, send)
