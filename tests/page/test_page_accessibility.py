"""All views for everybody: without mouse and eyes, in the dark, on a telephone."""

import re
from collections.abc import Iterator

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, FilePayload, Page, expect

from tests.page.looking import Looker
from tests.page.people import sign_in
from tests.page.views import LOGIN, Furnished, furnished, show

SERIOUS = ("serious", "critical")
NARROW, WIDE = {"width": 390, "height": 800}, {"width": 1280, "height": 880}
FITS = "document.documentElement.scrollWidth <= innerWidth"
BEYOND = """() => [...document.querySelectorAll("body *")]
  .filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
  .slice(0, 5).map((each) => `${each.tagName}.${each.className}`)"""
REPEATED = {"exclude": [["section.operation:nth-of-type(n + 7)"]]}
"""The reference has a hundred parts that are made alike."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Furnished]:
    with furnished(tmp_path_factory.mktemp("views")) as made:
        yield made


@pytest.fixture(scope="module", params=["light", "dark"])
def signed_in(browser: Browser, place: Furnished, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A browser for one colour scheme, in which all views are opened."""
    context = browser.new_context(viewport=WIDE, reduced_motion="reduce", color_scheme=request.param)
    context.set_default_timeout(20_000)
    sign_in(context, place.service, place.token)
    yield context.new_page()
    context.close()


def violations(page: Page, name: str) -> list[str]:
    """Let axe look at the page with all that can be opened in it, and name what is serious."""
    page.evaluate("document.querySelectorAll('main details').forEach((each) => (each.open = true))")
    found = Axe().run(page, REPEATED).response["violations"]
    return [
        f"{name}: {each['id']}: {' '.join(map(str, node['target']))}: {node['failureSummary']}"
        for each in found
        if each["impact"] in SERIOUS
        for node in each["nodes"]
    ]


def test_axe_finds_nothing_serious_in_any_view(signed_in: Page, place: Furnished) -> None:
    problems = []
    for view in place.views():
        show(signed_in, place.service, view)
        problems += violations(signed_in, view.name)
    assert problems == []


def test_axe_finds_nothing_serious_in_files_that_could_not_be_read(signed_in: Page, place: Furnished) -> None:
    show(signed_in, place.service, next(view for view in place.views() if view.name == "feed"))
    broken = FilePayload(name="broken.pdf", mimeType="application/pdf", buffer=b"%PDF-1.7\nno pdf\n")
    signed_in.locator("input[type=file]").first.set_input_files([broken])
    expect(signed_in.locator("article[data-job] .problems li")).to_have_count(1, timeout=60_000)
    assert violations(signed_in, "failures") == []


def test_axe_finds_nothing_serious_in_any_dialog(signed_in: Page, place: Furnished) -> None:
    views = {view.name: view for view in place.views()}
    show(signed_in, place.service, views["search"])
    problems = []
    dialog = signed_in.locator("dialog")
    signed_in.get_by_role("button", name="Cite").first.click()
    expect(dialog).to_contain_text("@")
    problems += violations(signed_in, "cite")
    signed_in.keyboard.press("Escape")
    show(signed_in, place.service, views["jobs"])
    signed_in.keyboard.press("?")
    expect(dialog.locator("kbd").first).to_be_visible()
    problems += violations(signed_in, "keys")
    signed_in.keyboard.press("Escape")
    show(signed_in, place.service, views["index"])
    for name in ("Delete the index", "Delete A fluyt"):
        signed_in.get_by_role("button", name=name).click()
        expect(dialog).to_be_visible()
        problems += violations(signed_in, name)
        signed_in.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
    assert problems == []


def test_axe_finds_nothing_serious_in_the_sign_in(browser: Browser, place: Furnished) -> None:
    problems = []
    for scheme in ("light", "dark"):
        with browser.new_context(viewport=WIDE, color_scheme=scheme) as context:
            page = context.new_page()
            show(page, place.service, LOGIN)
            problems += violations(page, f"{LOGIN.name}, {scheme}")
            page.set_viewport_size(NARROW)
            assert page.evaluate(FITS)
            expect(page.locator("h1")).to_have_count(1)
    assert problems == []


def test_every_view_has_one_heading_and_fits_a_narrow_screen(browser: Browser, place: Furnished) -> None:
    problems = []
    with browser.new_context(viewport=NARROW, reduced_motion="reduce", has_touch=True) as context:
        looker = Looker(context)
        sign_in(context, place.service, place.token)
        page = context.new_page()
        for view in place.views():
            show(page, place.service, view)
            if (headings := page.locator("h1").count()) != 1:
                problems.append(f"{view.name}: {headings} h1")
            if not page.evaluate(FITS):
                problems.append(f"{view.name}: scrolls sideways, because of {page.evaluate(BEYOND)}")
    assert problems == []
    assert looker.problems == []


def test_no_element_of_a_served_view_has_a_style_of_its_own(place: Furnished) -> None:
    cookies = httpx.Cookies()
    with httpx.Client(base_url=place.service.url, cookies=cookies, trust_env=False) as client:
        headers = {"accept": "text/html", "authorization": f"Bearer {place.token}"}
        for view in (*place.views(), LOGIN):
            answer = client.get(view.path, headers=headers)
            assert answer.headers["content-type"].startswith("text/html"), view.name
            assert "unsafe" not in answer.headers["content-security-policy"], view.name
            assert not re.findall(r"<script>|<style|\son\w+=|\sstyle=", answer.text), view.name
