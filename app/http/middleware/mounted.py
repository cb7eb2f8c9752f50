"""Mounts an ASGI application at one exact path, before any route is matched."""

from starlette.types import ASGIApp, Receive, Scope, Send


class MountAtPath:
    """Sends requests for `path` to `mounted`. Unlike Starlette's `Mount`, it does not match the paths below."""

    def __init__(self, app: ASGIApp, path: str, mounted: ASGIApp) -> None:
        self.app = app
        self.path = path
        self.mounted = mounted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        matches = scope["type"] == "http" and scope["path"] == self.path
        await (self.mounted if matches else self.app)(scope, receive, send)
