"""From a file to a result: uploads, progress, files that cannot be read, and trying again."""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.page.looking import tab_to
from tests.service import Service

WORD = "quaxelfin"


def feed(page: Page, service: Service, files: list[Path]) -> None:
    page.goto(f"{service.url}/feed")
    page.locator("input[type=file]").first.set_input_files(files)


def test_uploaded_files_are_found_and_what_failed_is_named_and_tried_again(
    page: Page, service: Service, files: Path
) -> None:
    feed(page, service, [files / "wreck.md", files / "broken.pdf", files / "hull.dwg"])
    card = page.locator("article[data-job]").first
    expect(card.locator("progress")).to_be_attached()
    expect(card).to_contain_text(re.compile("1 failed"), timeout=60_000)
    expect(card).to_contain_text("broken.pdf")
    expect(card).to_contain_text("hull.dwg")
    expect(card).to_contain_text("1 skipped")

    retry = card.get_by_role("button", name=re.compile("Retry")).first
    retry.click()
    expect(card).to_contain_text(re.compile("1 failed"), timeout=60_000)

    page.goto(f"{service.url}/?q={WORD}")
    expect(page.locator("main article[data-id]").first.locator("mark").first).to_have_text(WORD)


def test_the_archive_says_what_it_holds_and_how_fresh_it_is(page: Page, service: Service) -> None:
    page.goto(f"{service.url}/feed")
    expect(page.locator("h1")).to_have_text("What is in the archive")
    row = page.locator("main table tbody tr").first
    expect(row).to_be_visible()
    expect(row).to_contain_text(re.compile(r"ago|now|yesterday"))


def test_files_are_fed_by_keyboard_alone(page: Page, service: Service, tmp_path: Path) -> None:
    note = tmp_path / "zibbelwort.md"
    note.write_text("# Zibbelwort\n\nA zibbelwort grows on the reef.\n")
    # Registered before the page is there: a chooser that opens while the browser learns of the wish is not intercepted.
    page.on("filechooser", lambda chooser: chooser.set_files(note))
    page.goto(f"{service.url}/feed")
    page.get_by_role("button", name=re.compile("Choose files")).focus()
    page.keyboard.press("Enter")
    card = page.locator("article[data-job]").first
    expect(card).to_contain_text("1 indexed", timeout=60_000)


def test_a_failed_file_is_tried_again_by_keyboard_alone(page: Page, service: Service, files: Path) -> None:
    feed(page, service, [files / "broken.pdf"])
    card = page.locator("article[data-job]").first
    retry = card.get_by_role("button", name=re.compile("Retry .*broken.pdf"))
    expect(retry).to_be_visible(timeout=60_000)
    tab_to(page, retry)
    with page.expect_response(re.compile("/api/v1/jobs/[^/]+/retry$")) as retried:
        page.keyboard.press("Enter")
    assert retried.value.ok
    expect(retry).to_be_visible(timeout=60_000)


def test_a_web_address_that_may_not_be_fetched_is_named_with_its_reason(page: Page, service: Service) -> None:
    page.goto(f"{service.url}/feed")
    kind = page.locator("main select").first
    kind.select_option("urls")
    page.locator("main form textarea").fill("http://127.0.0.1:9/secret")
    page.locator("main form").get_by_role("button").last.click()
    card = page.locator("article[data-job]").first
    expect(card).to_contain_text(re.compile("1 failed"), timeout=60_000)
