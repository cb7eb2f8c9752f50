"""Who uses the page: tokens, and browsers that are signed in with one or at a provider."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import httpx
from playwright.sync_api import BrowserContext, Page, expect

from mcp_server.access.scopes import ALL_SCOPES
from tests.service import Service, trawl

WITH_ACCOUNT = "Sign in with your account"


def first_token(service: Service, name: str, scopes: Iterable[str] = ALL_SCOPES) -> str:
    """Create a token as the operator does, on the machine of the service."""
    made = trawl("token", "create", "--scopes", ",".join(scopes), "--name", name, folder=service.folder)
    assert made.returncode == 0, made.stderr
    return made.stdout.strip()


def new_token(admin: httpx.Client, name: str, scopes: Iterable[str]) -> str:
    """Let an administrator create a token."""
    made = admin.post("/api/v1/tokens", json={"name": name, "scopes": list(scopes)})
    assert made.status_code == 200, made.text
    token: str = made.json()["token"]
    return token


@contextmanager
def caller(service: Service, token: str) -> Iterator[httpx.Client]:
    """Call a service as a program does."""
    headers = {"authorization": f"Bearer {token}"}
    with httpx.Client(base_url=service.url, headers=headers, trust_env=False, timeout=60) as client:
        yield client


def status_with(service: Service, token: str) -> int:
    """Return the status of a call with this token: 401 once it is refused."""
    with caller(service, token) as program:
        return program.get("/api/v1/me").status_code


def sign_in(context: BrowserContext, service: Service, token: str) -> None:
    """Sign the browser in with a token, without looking at the page."""
    headers = {"origin": service.url}
    answer = context.request.post(f"{service.url}/auth/login", data={"token": token}, headers=headers)
    assert answer.ok, answer.text()


def sign_in_at_provider(page: Page, service: Service, name: str, path: str = "/") -> None:
    """Sign in at the provider as a person does, and come back to this path."""
    page.goto(service.url + path)
    page.get_by_role("link", name=WITH_ACCOUNT).click()
    page.locator("input[name=login]").fill(name)
    page.locator("input[name=password]").fill("any")
    page.locator("button[type=submit]").click()
    page.get_by_role("button", name="Continue").click()
    expect(page).to_have_url(re.compile(re.escape(service.url + path) + "$"))
