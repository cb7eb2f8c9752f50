"""Signing in with a token and at a provider, signing out, and what happens when a token is revoked."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.page.looking import settled, tab_to
from tests.page.people import (
    WITH_ACCOUNT,
    caller,
    first_token,
    new_token,
    sign_in,
    sign_in_at_provider,
    status_with,
)
from tests.service import Service, wait_until

VIEWS = (
    *("/?q=reef&sort=-date", "/d/1YQBi?q=reef", "/graph/1YQBi", "/feed", "/indices", "/indices/default", "/jobs"),
    *("/connect", "/account", "/admin?tab=health"),
)
WITH_TOKEN = "Sign in with the token"


def sign_in_page(service: Service, path: str) -> str:
    return f"{service.url}/auth/login?next={quote(path, safe='')}"


def at(service: Service, path: str) -> re.Pattern[str]:
    return re.compile(re.escape(service.url + path) + "$")


@pytest.fixture(scope="module")
def token(entrusted: Service) -> str:
    return first_token(entrusted, "ann")


def test_any_view_leads_to_the_sign_in_and_back(page: Page, entrusted: Service, token: str) -> None:
    for path in VIEWS:
        page.goto(entrusted.url + path)
        expect(page).to_have_url(sign_in_page(entrusted, path))
        expect(page.locator("h1")).to_have_text("Sign in")
    page.goto(f"{entrusted.url}/indices/default?from=here")
    page.get_by_label("Token").fill(token)
    page.get_by_role("button", name=WITH_TOKEN).click()
    expect(page).to_have_url(f"{entrusted.url}/indices/default?from=here")
    expect(page.locator("h1")).to_have_text("default")
    expect(page.locator("#header a[href='/account']")).to_have_text("main · token:ann")
    page.goto(sign_in_page(entrusted, "/jobs"))
    expect(page).to_have_url(f"{entrusted.url}/jobs")


def test_a_wrong_token_is_told_and_the_page_stays(page: Page, entrusted: Service, token: str) -> None:
    page.goto(f"{entrusted.url}/jobs")
    field = page.get_by_label("Token")
    field.fill(f"{token[:-6]}abcdef")
    page.get_by_role("button", name=WITH_TOKEN).click()
    notice = page.get_by_role("alert")
    expect(notice).to_contain_text("token")
    expect(notice.locator("p").last).to_have_text(re.compile(r"\w+.*\.$"))
    expect(page).to_have_url(sign_in_page(entrusted, "/jobs"))
    expect(field).to_be_focused()
    field.fill(token)
    field.press("Enter")
    expect(page.locator("h1")).to_have_text("Jobs")


def test_the_page_does_not_lead_to_another_host(page: Page, entrusted: Service, token: str) -> None:
    for address in ("//evil.example/", "https://evil.example/", "/\\evil.example", "javascript:alert(1)"):
        page.context.clear_cookies()
        page.goto(f"{entrusted.url}/auth/login?next={quote(address, safe='')}")
        page.get_by_label("Token").fill(token)
        page.get_by_role("button", name=WITH_TOKEN).click()
        expect(page.locator("#header a[href='/account']")).to_be_visible()
        assert page.url.startswith(f"{entrusted.url}/")
        # A call that fails without the cookie would lead the page to the sign-in, in the midst of the next step.
        settled(page)


def test_somebody_signs_in_and_out_by_keyboard_alone(page: Page, entrusted: Service) -> None:
    token = first_token(entrusted, "keys", ["search", "ingest"])
    page.goto(f"{entrusted.url}/feed")
    tab_to(page, page.get_by_label("Token"))
    page.keyboard.type(token)
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{entrusted.url}/feed")
    account = page.locator("#header a[href='/account']")
    expect(account).to_have_text("main · token:keys")
    tab_to(page, account)
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Your account")
    tab_to(page, page.get_by_role("button", name="Sign out"))
    page.keyboard.press("Enter")
    expect(page).to_have_url(at(entrusted, "/auth/login"))
    page.goto(f"{entrusted.url}/feed")
    expect(page).to_have_url(sign_in_page(entrusted, "/feed"))


def test_a_revoked_token_ends_the_session_at_the_next_action(
    page: Page, context: BrowserContext, entrusted: Service, token: str
) -> None:
    with caller(entrusted, token) as admin:
        doomed = new_token(admin, "doomed", ["search"])
        sign_in(context, entrusted, doomed)
        page.goto(f"{entrusted.url}/indices")
        expect(page.locator("h1")).to_have_text("Indices")
        (known,) = [each for each in admin.get("/api/v1/tokens").json()["tokens"] if each["name"] == "doomed"]
        assert admin.delete(f"/api/v1/tokens/{known['id']}").status_code == 200
    wait_until(lambda: status_with(entrusted, doomed) == 401, "the token is refused")
    page.locator("#header a[href='/jobs']").click()
    expect(page).to_have_url(sign_in_page(entrusted, "/jobs"))
    expect(page.locator("h1")).to_have_text("Sign in")


def test_somebody_signs_in_at_the_provider_and_comes_back_to_where_they_were(page: Page, entrusted: Service) -> None:
    path = "/?q=reef&sources=archive&sort=-date"
    sign_in_at_provider(page, entrusted, "ann", path)
    expect(page.locator("#header a[href='/account']")).to_have_text("red · ann")
    expect(page.locator("input[type=search]")).to_have_value("reef")
    page.goto(f"{entrusted.url}/account")
    expect(page.locator("dl.facts")).to_contain_text("ann")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("link", name=WITH_ACCOUNT)).to_be_visible()


def test_a_person_of_two_teams_chooses_one(page: Page, entrusted: Service) -> None:
    sign_in_at_provider(page, entrusted, "ben", "/account")
    expect(page.locator("#header a[href='/account']")).to_have_text("red · ben")
    page.get_by_label("Team", exact=True).select_option("blue")
    expect(page.locator("#header a[href='/account']")).to_have_text("blue · ben")
    page.goto(f"{entrusted.url}/indices")
    expect(page.locator("#header a[href='/account']")).to_have_text("blue · ben")


def test_who_declines_at_the_provider_is_told_so(page: Page, entrusted: Service) -> None:
    page.goto(f"{entrusted.url}/jobs")
    page.get_by_role("link", name=WITH_ACCOUNT).click()
    page.get_by_role("link", name=re.compile("Cancel")).click()
    expect(page.get_by_role("alert")).to_contain_text("declined")
    expect(page).to_have_url(re.compile(r"/auth/login\?next=%2Fjobs&problem=denied$"))
