"""An application at one path, found before any route is tried."""

from starlette.types import ASGIApp, Receive, Scope, Send


class Mounted:
    """Hands requests for this very path over, and all others on. A route would match below the path too."""

    def __init__(self, app: ASGIApp, path: str, mounted: ASGIApp) -> None:
        self.app = app
        self.path = path
        self.mounted = mounted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        here = scope["type"] == "http" and scope["path"] == self.path
        await (self.mounted if here else self.app)(scope, receive, send)
