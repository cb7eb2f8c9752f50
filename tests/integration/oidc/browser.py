"""A browser by script: follows redirects, fills in forms, and stops at the address of the client."""

import html
import re
from collections.abc import Callable
from threading import Thread
from urllib.parse import parse_qsl, urljoin, urlsplit

import httpx

_FORM = re.compile(r"<form[^>]*action=\"([^\"]*)\"[^>]*>(.*?)</form>", re.DOTALL)
_INPUT = re.compile(r"<input[^>]*>")
_ATTRIBUTE = re.compile(r"(name|value)=\"([^\"]*)\"")
_MAX_STEPS = 20


def sign_in(address: str, *, stop_at: str, fill: dict[str, str]) -> str:
    """Open the address, submit each form with what is to fill in, and return where the client is called back."""
    with httpx.Client(trust_env=False, timeout=60) as client:
        response = client.get(address)
        for _ in range(_MAX_STEPS):
            for cookie in client.cookies.jar:
                cookie.secure = False  # Browsers take loopback for as safe as TLS.
            if response.is_redirect:
                target = urljoin(str(response.url), response.headers["location"])
                if target.startswith(stop_at):
                    return target
                response = client.get(target)
                continue
            target, filled = filled_form(response, fill)
            response = client.post(target, data=filled)
    raise AssertionError("the sign-in did not end")


def filled_form(page: httpx.Response, fill: dict[str, str]) -> tuple[str, dict[str, str]]:
    """Return where the form of a page is sent to, and its fields with what is to fill in."""
    found = _FORM.search(page.text)
    assert found is not None, f"{page.status_code}: {page.text[:2000]}"
    fields = dict(_field(each) for each in _INPUT.findall(found[2]))
    filled = {name: fill.get(name, value) for name, value in fields.items() if name}
    return urljoin(str(page.url), html.unescape(found[1])), filled


class BrowserThread:
    """A browser that runs beside a command, and brings the answer back to it, also a spoilt one first."""

    def __init__(self, fill: dict[str, str], spoil: Callable[[str], str] = lambda answer: answer) -> None:
        self._fill = fill
        self._spoil = spoil
        self._thread: Thread | None = None
        self.address = ""
        self.responses: list[int] = []

    def open(self, address: str) -> None:
        self.address = address
        self._thread = Thread(target=self._sign_in)
        self._thread.start()

    def wait(self) -> None:
        assert self._thread is not None
        self._thread.join()

    def _sign_in(self) -> None:
        asked = dict(parse_qsl(urlsplit(self.address).query))
        answer = sign_in(self.address, stop_at=asked["redirect_uri"], fill=self._fill)
        for target in {self._spoil(answer): None, answer: None}:
            try:
                self.responses.append(httpx.get(target, trust_env=False).status_code)
            except httpx.HTTPError:
                self.responses.append(0)  # The flow has ended, and nobody listens any more.


def _field(text: str) -> tuple[str, str]:
    attributes = dict(_ATTRIBUTE.findall(text))
    return attributes.get("name", ""), html.unescape(attributes.get("value", ""))
