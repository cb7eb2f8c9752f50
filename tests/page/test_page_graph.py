"""The citation graph with as many nodes as there may be: drawn quickly, usable by keyboard, and told as a list."""

import io
import re
import tarfile
from collections.abc import Iterator
from statistics import median

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.page.looking import Looker, tab_to
from tests.service import Service, wait_until

NODES = 200
FAN = 14
"""How many others each of the first documents cites."""
FRAME_MS = 16
NODE = "main svg .node"
RESTED = "main .holder[data-rested]"


@pytest.fixture(scope="module")
def root(service: Service) -> str:
    """Feed documents that cite each other, and give the one from which all can be reached."""
    with httpx.Client(base_url=service.url, trust_env=False, timeout=60) as client:
        files = {"files": ("graph.tar", archive())}
        job = client.post("/api/v1/archives/upload", files=files).raise_for_status().json()["job_id"]
        wait_until(lambda: client.get(f"/api/v1/jobs/{job}").json()["status"] == "done", "the files are read")
        found = client.post("/api/v1/search", json={"query": "quaxelroot", "sources": ["archive"], "detail": "full"})
        (hit,) = found.json()["results"]
        return str(hit["fetch_id"])


def archive() -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        for number in range(NODES):
            cited = {*range(FAN * number + 1, FAN * number + FAN + 1), (7 * number + 3) % NODES} - {number}
            links = [f"[paper {each}](paper{each}.md)" for each in sorted(cited) if each < NODES]
            content = f"# Paper number {number}\n\n{'quaxelroot' if number == 0 else ''} It cites {', '.join(links)}.\n"
            info = tarfile.TarInfo(f"paper{number}.md")
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content.encode()))
    return packed.getvalue()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser that shows how the graph moves."""
    made = browser.new_context(viewport={"width": 1280, "height": 880}, reduced_motion="no-preference")
    made.set_default_timeout(20_000)
    yield made
    made.close()


@pytest.fixture
def graph(context: BrowserContext, service: Service, root: str) -> Iterator[Page]:
    looker = Looker(context)
    page = context.new_page()
    page.goto(f"{service.url}/graph/{root}?depth=3&q=quaxelroot")
    expect(page.locator(RESTED)).to_be_attached(timeout=60_000)
    yield page
    assert looker.problems == []


def places(page: Page) -> list[str]:
    found: list[str] = page.locator(NODE).evaluate_all("nodes => nodes.map((node) => node.getAttribute('transform'))")
    return found


def test_script_takes_little_time_of_each_frame(graph: Page) -> None:
    expect(graph.locator(NODE)).to_have_count(NODES)
    frames = graph.evaluate("performance.getEntriesByName('graph-frame').map(({ duration }) => duration)")
    print(f"\nscript time of {len(frames)} frames: median {median(frames):.1f} ms, longest {max(frames):.1f} ms")
    assert len(frames) > 20
    assert median(frames) < FRAME_MS


def test_the_list_holds_the_same_documents(graph: Page) -> None:
    labels = graph.locator(NODE).evaluate_all("nodes => nodes.map((node) => node.getAttribute('aria-label'))")
    graph.get_by_text("The graph as a list").click()
    titles = graph.locator("main table tbody tr td:first-child").all_inner_texts()
    assert sorted(titles) == sorted(label.partition(":")[0] for label in labels)
    assert set(titles) == {f"Paper number {number}" for number in range(NODES)}
    row = graph.get_by_role("row").filter(has=graph.get_by_role("link", name="Paper number 1", exact=True))
    expect(row.locator("td.number").first).to_have_text(str(FAN + 1))


def test_the_graph_is_walked_by_keyboard_alone(graph: Page) -> None:
    chosen = graph.locator(f"{NODE}[aria-pressed=true]")
    expect(chosen).to_have_attribute("aria-label", re.compile("^Paper number 0: this document, result of the search"))
    tab_to(graph, graph.locator(f"{NODE}[tabindex='0']"))
    visited = {chosen.get_attribute("data-id")}
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft"):
        graph.keyboard.press(key)
        expect(graph.locator(f"{NODE}:focus")).to_have_attribute("aria-pressed", "true")
        visited.add(chosen.get_attribute("data-id"))
    assert len(visited) > 2
    title = graph.locator("main .chosen-node h2").inner_text()
    expect(chosen).to_have_attribute("aria-label", re.compile(f"^{title}: "))
    graph.keyboard.press("Enter")
    expect(graph).to_have_url(re.compile(r"/d/\w[\w-]*\?q=quaxelroot$"))
    expect(graph.locator("h1")).to_have_text(title)


def test_keys_and_the_wheel_zoom_and_a_drag_moves(graph: Page) -> None:
    before = places(graph)
    graph.keyboard.press("+")
    near = places(graph)
    assert near != before
    graph.keyboard.press("-")
    graph.keyboard.press("-")
    assert places(graph) not in (before, near)
    graph.keyboard.press("0")
    assert places(graph) == before
    picture = graph.locator("main svg.picture")
    picture.hover(position={"x": 20, "y": 20})
    graph.mouse.wheel(0, -300)
    wait_until(lambda: places(graph) != before, "the wheel has zoomed")
    near = places(graph)
    graph.mouse.down()
    graph.mouse.move(300, 300, steps=4)
    graph.mouse.up()
    assert places(graph) != near
    graph.get_by_role("button", name="Reset").click()
    assert places(graph) == before


def test_a_click_selects_and_a_double_click_opens(graph: Page) -> None:
    node = graph.locator(NODE).nth(1)
    node.locator(".target").click(force=True)
    expect(node).to_have_attribute("aria-pressed", "true")
    node.locator(".target").dblclick(force=True)
    expect(graph).to_have_url(re.compile("/d/"))


def test_the_depth_is_chosen_and_stands_in_the_address(graph: Page) -> None:
    graph.get_by_role("button", name="1", exact=True).click()
    expect(graph).to_have_url(re.compile(r"[?&]depth=1\b"))
    expect(graph.locator(NODE)).not_to_have_count(NODES)
    few = graph.locator(NODE).count()
    assert FAN < few < NODES
    graph.reload()
    expect(graph.locator(NODE)).to_have_count(few)
