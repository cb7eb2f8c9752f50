"""From a search to a document, its citations and a reference to it, by mouse and by keyboard alone."""

import re

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.page.looking import settled
from tests.service import Service, wait_until

QUERY = "otter trawl"


@pytest.fixture(scope="module", autouse=True)
def sample(service: Service) -> None:
    """The sample is there when the service is ready; its archive a moment later."""
    with httpx.Client(trust_env=False) as client:
        wait_until(
            lambda: client.get(f"{service.url}/api/v1/archives/documents").json()["total"] >= 10, "the sample is read"
        )


def test_a_search_leads_to_the_document_its_graph_and_its_reference(page: Page, service: Service) -> None:
    page.goto(service.url)
    box = page.locator("input[type=search]")
    expect(box).to_have_count(1)
    expect(box).to_be_focused()
    box.press_sequentially(QUERY)
    first = page.locator("main article[data-id]").first
    expect(first.locator("mark").first).to_be_visible()
    title = first.locator("h2").inner_text()

    first.get_by_role("button", name="Cite").click()
    dialog = page.locator("dialog")
    expect(dialog).to_contain_text("@")
    dialog.get_by_role("tab", name=re.compile("Markdown")).click()
    expect(dialog).to_contain_text(title.split()[0])
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)

    first.locator("h2 a").click()
    expect(page).to_have_url(re.compile(r"/d/[A-Za-z0-9_-]+\?q=otter"))
    expect(page.locator("main mark").first).to_be_visible()
    expect(page).to_have_title(re.compile(re.escape(title.split()[0])))

    page.get_by_role("link", name=re.compile("graph", re.IGNORECASE)).first.click()
    expect(page).to_have_url(re.compile("/graph/"))
    expect(page.locator("main svg")).to_be_visible()
    page.go_back()
    expect(page.locator("main mark").first).to_be_visible()
    page.go_back()
    expect(page.locator("main article[data-id]").first).to_be_visible()
    expect(box).to_have_value(QUERY)


def test_the_same_by_keyboard_alone(page: Page, service: Service) -> None:
    page.goto(service.url)
    expect(page.locator("input[type=search]")).to_be_focused()
    page.keyboard.type(QUERY)
    expect(page.locator("main article[data-id]").first).to_be_visible()
    settled(page)
    page.keyboard.press("ArrowDown")
    expect(page.locator("main article[aria-current=true]")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/d/"))
    expect(page.locator("main mark").first).to_be_visible()
    page.keyboard.press("n")
    page.keyboard.press("c")
    expect(page.locator("dialog")).to_contain_text("@")
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    expect(page.locator("input[type=search]")).to_be_focused()
    page.keyboard.press("Escape")
    page.locator("h1").first.evaluate("() => document.activeElement.blur()")
    page.keyboard.press("?")
    expect(page.locator("dialog")).to_contain_text("search box")


def test_the_address_is_the_whole_state_of_a_search(page: Page, service: Service) -> None:
    page.goto(f"{service.url}/?q=sea&sources=archive&sort=title")
    articles = page.locator("main article[data-id]")
    expect(articles.first).to_be_visible()
    settled(page)
    titles = articles.locator("h2").all_inner_texts()
    assert titles == sorted(titles, key=str.lower)
    facet = page.locator("[data-facet] button, button[data-facet]").first
    facet.click()
    expect(page).to_have_url(re.compile(r"f\.\w+="))
    narrowed = page.url
    settled(page)
    kept = articles.locator("h2").all_inner_texts()
    page.reload()
    expect(articles).to_have_count(len(kept))
    assert page.url == narrowed
    page.go_back()
    expect(articles).to_have_count(len(titles))


def test_the_same_address_gives_programs_json(service: Service) -> None:
    with httpx.Client(trust_env=False, base_url=service.url) as client:
        answer = client.get(
            "/?q=otter&sources=archive&f.source=research&page=1", headers={"accept": "application/json"}
        )
        found = answer.json()
        assert found["success"] is True
        assert found["results"]
        assert {source["source"] for source in found["sources"]} == {"archive"}
        other = client.get("/?q=otter&sources=archive&f.source=url", headers={"accept": "application/json"}).json()
        assert other["results"] == []
        assert client.get("/?q=otter").headers["content-type"].startswith("text/html")


def test_other_sources_answer_on_enter_below_the_own_ones(page: Page, service: Service) -> None:
    page.goto(service.url)
    box = page.locator("input[type=search]")
    box.press_sequentially("trawl")
    expect(page.locator("main article[data-id]").first).to_be_visible()
    settled(page)
    before = page.locator("main article[data-id]").all()
    own = [article.get_attribute("data-id") for article in before]
    box.press("Enter")
    settled(page)
    after = [article.get_attribute("data-id") for article in page.locator("main article[data-id]").all()]
    assert after[: len(own)] == own
    assert len(after) > len(own)


def test_a_search_without_results_says_what_to_try(page: Page, service: Service) -> None:
    page.goto(f"{service.url}/?q=%2Bxyzzyplugh&sources=archive,indices")
    settled(page)
    expect(page.locator("main article[data-id]")).to_have_count(0)
    expect(page.locator("main")).to_contain_text(re.compile("no result|nothing|not found", re.IGNORECASE))


def test_an_empty_page_teaches_with_words_of_the_team(page: Page, service: Service) -> None:
    page.goto(service.url)
    settled(page)
    example = page.locator("main a[href^='/?q=']").first
    expect(example).to_be_visible()
    example.click()
    expect(page.locator("main article[data-id]").first).to_be_visible()


def test_why_a_result_is_there_is_said_in_words_and_bars(page: Page, service: Service) -> None:
    page.goto(f"{service.url}/?q=otter+trawl&sources=archive")
    first = page.locator("main article[data-id]").first
    first.get_by_role("button", name="Why").click()
    expect(first).to_contain_text("otter")
    expect(first.locator("[data-score], .bar, meter").first).to_be_attached()
