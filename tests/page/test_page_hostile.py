"""Documents, names and addresses that want to run something in the browser: they are shown as texts."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from playwright.sync_api import BrowserContext, FilePayload, Page, expect

from tests.page.people import caller, first_token, new_token, sign_in
from tests.page.views import View, show
from tests.service import Service, wait_until

IMAGE = "<img src=x onerror=window.__ran=1>"
SCRIPT = "<script>window.__ran=2</script>"
QUOTES = "\"'><svg onload=window.__ran=3>"
ADDRESS = "javascript:window.__ran=4"
BACKWARDS = "\u202etxt.live\u202c \u05e9\u05dc\u05d5\u05dd"
READABLE = "txt.live \u05e9\u05dc\u05d5\u05dd"
"""The same without the characters that turn a text around."""
WORD = "venomous"
MARKUP = f"{WORD} {IMAGE} {QUOTES}"
END = "& &lt;b&gt;"
TITLE = f"{MARKUP} {BACKWARDS} {END}"
MARKDOWN = f"""---
title: '{TITLE.replace("'", "''")}'
author: '{IMAGE}'
tags: ['{SCRIPT}', '<b onclick=window.__ran=5>tag</b>']
date: 2024-05-01
---
# {TITLE}

A {WORD} text with {SCRIPT} and {IMAGE}, and <mark onclick=window.__ran=6>a mark</mark> &lt;mark&gt; of its own.

It cites [{IMAGE}]({ADDRESS}), [a page](https://example.org/?a="onmouseover="window.__ran=7), <{ADDRESS}>,
[another one](data:text/html,{SCRIPT}) and [a neighbour](other.md).

## {IMAGE} heading

More {WORD} words [1]: {ADDRESS}
"""
OTHER = f"# Neighbour {IMAGE}\n\nIt cites [this]({ADDRESS}) and [the {WORD} one](evil.md).\n"
FILES = [
    FilePayload(name="evil.md", mimeType="text/markdown", buffer=MARKDOWN.encode()),
    FilePayload(name="other.md", mimeType="text/markdown", buffer=OTHER.encode()),
    FilePayload(name=f"{IMAGE}.pdf", mimeType="application/pdf", buffer=b"%PDF-1.7\nno pdf"),
    FilePayload(name=f"{QUOTES}.dwg", mimeType="application/octet-stream", buffer=bytes(range(256))),
]
FIELD = f"x{IMAGE}"
ENTRY = {
    "content": f"A {WORD} entry {SCRIPT} {IMAGE}",
    "metadata": {"title": TITLE, "url": ADDRESS, "author": IMAGE, "tags": [SCRIPT], "doi": ADDRESS, FIELD: IMAGE},
}
WATCH = """
window.__refused = [];
addEventListener("securitypolicyviolation", ({ blockedURI, violatedDirective }) => {
  window.__refused.push(`${violatedDirective} ${blockedURI}`);
});
"""
SUSPICIOUS = """() => [
  window.__ran === undefined ? [] : [`it ran: ${window.__ran}`],
  window.__refused,
  [...document.links].filter(({ protocol }) => !/^https?:$/.test(protocol)).map(({ href }) => href),
  [...document.querySelectorAll("*")].filter((each) => each.getAttributeNames().some((name) => name.startsWith("on")))
    .map((each) => each.outerHTML),
  [...document.querySelectorAll("main script, main img, main iframe, main object")].map((each) => each.outerHTML),
].flat()"""


@dataclass
class Watched:
    """A page on which nothing may run that is not the service's own."""

    page: Page
    dialogs: list[str] = field(default_factory=list)

    def assert_harmless(self) -> None:
        assert self.page.evaluate(SUSPICIOUS) == []
        assert self.dialogs == []


@pytest.fixture(scope="module")
def admin(guarded: Service) -> Iterator[httpx.Client]:
    with caller(guarded, first_token(guarded, IMAGE)) as program:
        program.post("/api/v1/indices", json={"index_name": "evil"}).raise_for_status()
        path = f"/api/v1/indices/evil/documents/{quote(IMAGE, safe='')}"
        program.put(path, json=ENTRY).raise_for_status()
        yield program


@pytest.fixture(scope="module")
def job(guarded: Service, admin: httpx.Client) -> str:  # noqa: ARG001 - its requests go there
    files: list[tuple[str, Any]] = [("files", (each["name"], each["buffer"])) for each in FILES]
    uploaded = admin.post("/api/v1/archives/upload", files=files, data={"root": IMAGE}).raise_for_status()
    made: str = uploaded.json()["job_id"]
    wait_until(lambda: admin.get(f"/api/v1/jobs/{made}").json()["status"] == "done", "the files are read")
    return made


@pytest.fixture(scope="module")
def documents(admin: httpx.Client, job: str) -> list[str]:  # noqa: ARG001 - it made them
    found = admin.post(
        "/api/v1/search", json={"query": WORD, "detail": "full", "sources": ["archive", "indices"]}
    ).json()
    assert {hit["source"] for hit in found["results"]} == {"archive", "indices"}
    return [hit["fetch_id"] for hit in found["results"]]


@pytest.fixture
def watched(context: BrowserContext, page: Page, guarded: Service, admin: httpx.Client) -> Watched:
    context.add_init_script(WATCH)
    sign_in(context, guarded, new_token(admin, QUOTES, ["search", "write", "ingest", "admin"]))
    made = Watched(page)

    def refuse(dialog: Any) -> None:
        made.dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", refuse)
    return made


@pytest.mark.usefixtures("documents")
def test_a_search_shows_hostile_documents_as_text(watched: Watched, guarded: Service) -> None:
    page = watched.page
    page.goto(f"{guarded.url}/?q={WORD}")
    articles = page.locator("main article[data-id]")
    expect(articles).to_have_count(3)
    expect(articles.filter(has_text="index evil").locator("h2")).to_have_text(f"{MARKUP} {READABLE} {END}")
    expect(page.locator("button[data-facet=author]").first).to_contain_text(IMAGE)
    expect(page.locator("button[data-facet=tags]").first).to_be_visible()
    watched.assert_harmless()
    for article in articles.all():
        page.keyboard.press("ArrowDown")
        expect(article).to_have_attribute("aria-current", "true")
        article.get_by_role("button", name="Why").click()
        expect(article.locator(".why li").first).to_be_visible()
        watched.assert_harmless()
    page.locator("button[data-facet=author]").first.click()
    expect(page.get_by_role("button", name=re.compile("^Remove filter: Author"))).to_contain_text(IMAGE)
    expect(articles.first).to_be_visible()
    watched.assert_harmless()
    page.get_by_role("button", name="Cite").first.click()
    for tab in ("BibTeX", "CSL", "Markdown"):
        page.get_by_role("tab", name=tab).click()
        expect(page.locator("dialog pre")).to_contain_text(WORD)
        watched.assert_harmless()


def test_hostile_addresses_of_the_page_itself_run_nothing(watched: Watched, guarded: Service) -> None:
    text = quote(f"{QUOTES}{IMAGE}<script>", safe="")
    views = [
        View("search", f"/?q={text}&sources=archive&f.{text}={text}&sort={text}", "main .notice, main .nothing"),
        View("document", f"/d/{text}?q={text}&at={text}", "main .notice"),
        View("graph", f"/graph/{text}?q={text}&depth={text}", "main .notice"),
        View("index", f"/indices/{text}", "main .notice"),
        View("job", f"/jobs/{text}", "main .notice"),
        View("jobs", f"/jobs?status={text}", "main .chips"),
        View("team", f"/admin?tab={text}", "main [role=tab]"),
    ]
    for view in views:
        show(watched.page, guarded, view)
        watched.assert_harmless()
    # Who is signed in already is led on.
    watched.page.goto(f"{guarded.url}/auth/login?next={quote(ADDRESS, safe='')}&problem={text}")
    watched.page.wait_for_url(lambda url: "/auth/login" not in url)
    expect(watched.page.locator("#header a[href='/account']")).to_be_visible()
    watched.assert_harmless()


def test_a_hostile_document_is_read_as_text(watched: Watched, guarded: Service, documents: list[str]) -> None:
    page = watched.page
    for id_ in documents:
        show(page, guarded, View("document", f"/d/{id_}?q={WORD}", "main article mark"))
        expect(page.locator("main h1")).to_contain_text(IMAGE)
        page.keyboard.press("n")
        page.get_by_role("button", name="Copy as quote").click()
        watched.assert_harmless()


def test_hostile_citations_lead_nowhere(
    watched: Watched, guarded: Service, admin: httpx.Client, documents: list[str]
) -> None:
    page = watched.page
    cited = 0
    for id_ in documents:
        known = admin.get(f"/api/v1/documents/{id_}/citations", params={"depth": 2}).json()
        if not known["cites"]:
            continue
        cited += 1
        show(page, guarded, View("document", f"/d/{id_}", "main .citations li"))
        expect(page.locator("main .citations").first).to_contain_text("<img")
        watched.assert_harmless()
        show(page, guarded, View("graph", f"/graph/{id_}?q={WORD}", "main svg .node circle"))
        page.get_by_text("The graph as a list").click()
        expect(page.locator("main table tbody tr")).to_have_count(len(known["graph"]["nodes"]))
        for node in page.locator("main svg .node").all():
            node.click(force=True)
            watched.assert_harmless()
    assert cited == 2


def test_hostile_file_names_are_shown_while_files_are_read(watched: Watched, guarded: Service) -> None:
    page = watched.page
    show(page, guarded, View("feed", "/feed", "main h1"))
    page.locator("input[type=file]").first.set_input_files(FILES)
    card = page.locator("article[data-job]").first
    expect(card).to_contain_text("1 failed", timeout=60_000)
    expect(card).to_contain_text(f"{IMAGE}.pdf")
    expect(card).to_contain_text(f"{QUOTES}.dwg")
    watched.assert_harmless()


def test_hostile_names_are_text_wherever_the_team_is_looked_after(watched: Watched, guarded: Service, job: str) -> None:
    page = watched.page
    views = {
        View("feed", "/feed", "main table tbody tr"): IMAGE,
        View("jobs", "/jobs", "main tr[data-job]"): IMAGE,
        View("job", f"/jobs/{job}", "main .problems li"): f"{IMAGE}.pdf",
        View("index", "/indices/evil", "main li[data-id]"): FIELD,
        View("archive", "/indices/archive", "main li[data-id]"): MARKUP,
        View("tokens", "/admin?tab=tokens", "main table.tokens tbody tr"): QUOTES,
        View("calls", "/admin?tab=calls", "main table.calls tbody tr"): IMAGE,
        View("account", "/account", "main dl.facts"): QUOTES,
        View("connect", "/connect", "main pre[data-client]"): "",
    }
    for view, text in views.items():
        show(page, guarded, view)
        expect(page.locator("main")).to_contain_text(text)
        watched.assert_harmless()
    show(page, guarded, View("index", "/indices/evil", "main li[data-id]"))
    page.get_by_role("button", name=re.compile(f"^Delete {WORD}")).click()
    expect(page.locator("dialog")).to_contain_text(IMAGE)
    watched.assert_harmless()


def test_the_check_itself_notices_what_runs(watched: Watched, guarded: Service) -> None:
    """Otherwise all of the above would say nothing."""
    page = watched.page
    page.route("**/jobs", lambda route: route.fulfill(body=f"<main>{IMAGE}</main>", content_type="text/html"))
    page.goto(f"{guarded.url}/jobs")
    page.wait_for_function("window.__ran === 1")
    with pytest.raises(AssertionError, match="it ran"):
        watched.assert_harmless()
