"""Mounts an ASGI application at exact paths, before any route is matched."""

from collections.abc import Collection

from starlette.types import ASGIApp, Receive, Scope, Send


class MountAtPaths:
    """Sends requests for these paths to `mounted`. Unlike Starlette's `Mount`, it does not match the paths below."""

    def __init__(self, app: ASGIApp, paths: Collection[str], mounted: ASGIApp) -> None:
        self.app = app
        self.paths = paths
        self.mounted = mounted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        matches = scope["type"] == "http" and scope["path"] in self.paths
        await (self.mounted if matches else self.app)(scope, receive, send)
