"""An index from its creation to its end, by mouse and by keyboard."""

import re

from playwright.sync_api import Page, expect

from tests.page.looking import tab_to
from tests.service import Service


def test_an_index_is_created_filled_searched_re_indexed_and_deleted(page: Page, service: Service) -> None:
    page.goto(f"{service.url}/indices")
    page.get_by_role("button", name=re.compile("Create|New")).first.click()
    name = page.get_by_label(re.compile("^Name"))
    name.fill("wrecks")
    page.get_by_role("button", name=re.compile("^Create")).last.click()
    link = page.locator("main a[href='/indices/wrecks']")
    expect(link.or_(page.locator("h1", has_text="wrecks")).first).to_be_visible()
    page.goto(f"{service.url}/indices/wrecks")
    expect(page.locator("h1")).to_contain_text("wrecks")

    summary = page.get_by_text(re.compile("Add a document")).first
    summary.click()
    page.get_by_label(re.compile("^(Id|ID|doc_id|Document id)")).fill("one")
    page.get_by_label(re.compile("^(Content|Text)")).fill("The wreck of a fluyt lies here.")
    page.get_by_role("button", name=re.compile("^Add")).last.click()
    expect(page.locator("main a[href^='/d/']").first).to_be_visible()

    page.goto(f"{service.url}/?q=fluyt&sources=indices")
    expect(page.locator("main article[data-id] mark").first).to_have_text("fluyt")

    page.goto(f"{service.url}/indices/wrecks")
    page.get_by_role("button", name=re.compile("Re-index")).first.click()
    expect(page.locator("main progress").first).to_be_attached()
    expect(page.locator("main")).to_contain_text(re.compile("done"), timeout=60_000)

    page.get_by_role("button", name="Delete the index").click()
    dialog = page.locator("dialog")
    confirm = dialog.get_by_role("button", name=re.compile("Delete"))
    expect(confirm).to_be_disabled()
    dialog.locator("input").press_sequentially("wrecks")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/indices$"))
    expect(page.locator("main a[href='/indices/wrecks']")).to_have_count(0)


def test_an_index_lives_and_ends_by_keyboard_alone(page: Page, service: Service) -> None:
    page.goto(f"{service.url}/indices")
    tab_to(page, page.get_by_label(re.compile("^Name")))
    page.keyboard.type("anchors")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("anchors")

    tab_to(page, page.get_by_label(re.compile("^Id")))
    page.keyboard.type("one")
    page.keyboard.press("Tab")
    page.keyboard.type("A grapnel has four flukes.")
    tab_to(page, page.get_by_role("button", name="Add", exact=True))
    page.keyboard.press("Enter")
    expect(page.locator("main a[href^='/d/']").first).to_be_visible()

    page.keyboard.press("/")
    expect(page.locator("input[type=search]")).to_be_focused()
    page.keyboard.type("grapnel")
    page.keyboard.press("Enter")
    expect(page.locator("main article[data-id] mark").first).to_have_text("grapnel")

    tab_to(page, page.locator("#header a[href='/indices']"))
    page.keyboard.press("Enter")
    tab_to(page, page.locator("main a[href='/indices/anchors']"))
    page.keyboard.press("Enter")
    tab_to(page, page.get_by_role("button", name="Re-index"))
    page.keyboard.press("Enter")
    expect(page.locator("article[data-job]").first).to_contain_text("done", timeout=60_000)

    tab_to(page, page.get_by_role("button", name="Delete the index"))
    page.keyboard.press("Enter")
    expect(page.locator("dialog input")).to_be_focused()
    page.keyboard.type("anchors")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/indices$"))
    expect(page.locator("main a[href='/indices/anchors']")).to_have_count(0)


def test_the_default_index_cannot_be_deleted(page: Page, service: Service) -> None:
    page.goto(f"{service.url}/indices/default")
    expect(page.locator("h1")).to_contain_text("default")
    expect(page.get_by_role("button", name="Delete the index")).to_have_count(0)
