"""A small web site on loopback whose pages misbehave on request."""

import gzip
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Page:
    """One answer: headers, a body, or pieces that are sent until the client goes away."""

    body: bytes = b""
    type: str | None = "text/html; charset=utf-8"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    endless: bytes | None = None
    silent: bool = False

    def is_known(self, asked: Message) -> bool:
        """Say whether who asks has this version of the page: the tag counts, and the date only without a tag."""
        if "If-None-Match" in asked:
            return asked["If-None-Match"] == self.headers.get("ETag")
        return "If-Modified-Since" in asked and asked["If-Modified-Since"] == self.headers.get("Last-Modified")


@dataclass
class Site:
    """What is served, and what was asked for."""

    address: str
    pages: dict[str, Page] = field(default_factory=dict)
    asked: list[tuple[str, Mapping[str, str]]] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.asked]


class _Handler(BaseHTTPRequestHandler):
    site: Site

    def do_GET(self) -> None:
        self.site.asked.append((self.path, dict(self.headers)))
        page = self.site.pages.get(self.path, Page(status=404, body=b"no such page"))
        if page.silent:
            self.site.over.wait()
            return
        if page.is_known(self.headers):
            self.send_response(304)
            self.end_headers()
            return
        self.send_response(page.status)
        for name, value in page.headers.items():
            self.send_header(name, value)
        if page.type:
            self.send_header("Content-Type", page.type)
        if page.endless is None:
            self.send_header("Content-Length", str(len(page.body)))
        self.end_headers()
        self.wfile.write(page.body)
        while page.endless and not self.site.over.wait(0 if len(page.endless) > 1 else 0.02):
            self.wfile.write(page.endless)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class _Server(ThreadingHTTPServer):
    def handle_error(self, *_: object) -> None:
        """Clients go away in the middle of these pages: that is their purpose."""


@contextmanager
def serving(host: str = "127.0.0.1", context: ssl.SSLContext | None = None) -> Iterator[Site]:
    """Serve a site until the end of the block."""
    handler = type("Handler", (_Handler,), {})
    with _Server((host, 0), handler) as server:
        scheme = "http"
        if context is not None:
            server.socket = context.wrap_socket(server.socket, server_side=True)
            scheme = "https"
        site = handler.site = Site(f"{scheme}://{host}:{server.server_address[1]}")
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield site
        finally:
            site.over.set()
            server.shutdown()
            thread.join()


def bomb(size: int, wrap: Callable[[bytes], bytes] = gzip.compress) -> Page:
    """Return a page that is small only while it is packed."""
    return Page(wrap(bytes(size)), headers={"Content-Encoding": "gzip"})
