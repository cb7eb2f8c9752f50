"""Connecting clients: complete blocks with a fresh token in them, and whether the connection works."""

import re

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from mcp_server.client_setup import CLIENT_SETUPS, PLACEHOLDER
from tests.modern import modern_request
from tests.page.looking import tab_to
from tests.page.people import caller, first_token, sign_in, sign_in_at_provider
from tests.service import Service

ANSWERS = re.compile(r"^answers in \d+ ms, (\d+) tools$")
CREATE = "Create a token"


@pytest.fixture(scope="module")
def token(entrusted: Service) -> str:
    return first_token(entrusted, "admin")


def block(page: Page) -> Locator:
    return page.locator("main pre[data-client]")


def fresh_token(page: Page) -> str:
    page.get_by_role("button", name=CREATE).click()
    shown = page.locator("main pre[data-token]")
    expect(shown).to_have_text(re.compile(r"^trawl_\w{40,}$"))
    return shown.inner_text()


def test_all_clients_have_a_complete_block_with_the_fresh_token(
    page: Page, context: BrowserContext, entrusted: Service, token: str
) -> None:
    sign_in(context, entrusted, token)
    page.goto(f"{entrusted.url}/connect")
    with caller(entrusted, token) as program:
        guide = {client["name"]: client for client in program.get("/api/v1/connect").json()["clients"]}
        assert set(guide) == set(CLIENT_SETUPS)
        expect(page.get_by_role("tab")).to_have_count(len(guide))
        made = fresh_token(page)
        for client in guide.values():
            page.get_by_role("tab", name=client["title"], exact=True).click()
            expect(block(page)).to_have_attribute("data-client", client["name"])
            shown = block(page).inner_text()
            assert shown == client["block"].replace(PLACEHOLDER, made)
            assert f"{entrusted.url}/mcp" in shown
            assert (made in shown) is client["takes_token"]
            assert PLACEHOLDER not in shown
            expect(page.get_by_role("tabpanel")).to_contain_text(client["instruction"])
        (entry,) = program.get("/api/v1/me/tokens").json()["tokens"]
        assert (entry["name"], entry["last_used_at"]) == ("My agent", None)


def test_the_block_is_copied_and_the_connection_tried(
    page: Page, context: BrowserContext, entrusted: Service, token: str
) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=entrusted.url)
    sign_in(context, entrusted, token)
    page.goto(f"{entrusted.url}/connect")
    attempt = page.get_by_role("button", name="Try it")
    outcome = page.get_by_role("tabpanel").get_by_role("status")
    attempt.click()
    expect(outcome).to_have_text(re.compile("needs a token"))
    made = fresh_token(page)
    page.get_by_role("tabpanel").get_by_role("button", name="Copy").click()
    expect(page.get_by_role("tabpanel").get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == block(page).inner_text()
    assert made in block(page).inner_text()
    attempt.click()
    expect(outcome).to_have_text(ANSWERS)
    said = ANSWERS.match(outcome.inner_text())
    assert said is not None
    headers, body = modern_request("tools/list")
    with caller(entrusted, made) as agent:
        listed = agent.post("/mcp", json=body, headers=headers).json()
    assert int(said[1]) == len(listed["result"]["tools"])


def test_a_person_of_the_provider_connects_an_agent(page: Page, entrusted: Service) -> None:
    sign_in_at_provider(page, entrusted, "ann", "/connect")
    made = fresh_token(page)
    with caller(entrusted, made) as agent:
        me = agent.get("/api/v1/me").json()
    assert (me["subject"], me["team"]) == ("ann", "red")
    page.get_by_role("button", name="Try it").click()
    expect(page.get_by_role("tabpanel").get_by_role("status")).to_have_text(ANSWERS)


def test_a_client_is_connected_by_keyboard_alone(
    page: Page, context: BrowserContext, entrusted: Service, token: str
) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=entrusted.url)
    sign_in(context, entrusted, token)
    page.goto(f"{entrusted.url}/connect")
    expect(block(page)).to_be_visible()
    tab_to(page, page.get_by_label("Name"))
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type("By keys")
    tab_to(page, page.get_by_role("button", name=CREATE))
    page.keyboard.press("Enter")
    expect(page.locator("main pre[data-token]")).to_be_visible()
    tab_to(page, page.get_by_role("tab", selected=True))
    titles = [setup.title for setup in CLIENT_SETUPS.values()]
    for title in (*titles[1:], titles[0]):
        page.keyboard.press("ArrowRight")
        expect(page.get_by_role("tab", name=title, exact=True)).to_be_focused()
        expect(page.get_by_role("tab", selected=True)).to_have_text(title)
    page.keyboard.press("End")
    expect(block(page)).to_have_attribute("data-client", "http")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("tab", selected=True)).to_have_text(titles[-1])
    tab_to(page, page.get_by_role("tabpanel").get_by_role("button", name="Copy"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("tabpanel").get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == block(page).inner_text()
    tab_to(page, page.get_by_role("button", name="Try it"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("tabpanel").get_by_role("status")).to_have_text(ANSWERS)
