"""A browser by script: follows redirects, fills in forms, and stops at the address of the client."""

import html
import re
from urllib.parse import urljoin

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
            if response.is_redirect:
                target = urljoin(str(response.url), response.headers["location"])
                if target.startswith(stop_at):
                    return target
                response = client.get(target)
                continue
            found = _FORM.search(response.text)
            assert found is not None, f"{response.status_code}: {response.text[:2000]}"
            fields = dict(_field(each) for each in _INPUT.findall(found[2]))
            filled = {name: fill.get(name, value) for name, value in fields.items() if name}
            response = client.post(urljoin(str(response.url), html.unescape(found[1])), data=filled)
    raise AssertionError("the sign-in did not end")


def _field(text: str) -> tuple[str, str]:
    attributes = dict(_ATTRIBUTE.findall(text))
    return attributes.get("name", ""), html.unescape(attributes.get("value", ""))
