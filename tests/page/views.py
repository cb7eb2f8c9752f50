"""All views of the page, each with what shows that it has been drawn, in a service with something to see in each."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
from playwright.sync_api import Page, expect

from tests.page.people import caller, first_token
from tests.service import Service, run_service, wait_until, wait_until_ready

QUERY = "otter trawl"


@dataclass(frozen=True, slots=True)
class View:
    """An address, and a selector of what is there once the view has been drawn."""

    name: str
    path: str
    drawn: str


@dataclass(frozen=True, slots=True)
class Furnished:
    """A service that needs a token, with the sample, an index, and a job with failures."""

    service: Service
    token: str
    document: str
    job: str

    def views(self) -> list[View]:
        return [
            View("search", f"/?q={QUERY.replace(' ', '+')}", "main article[data-id] mark"),
            View(
                "search with filters", "/?q=sea&sort=-date&f.source=research&f.date.gte=2000-01-01", "main .chips .chip"
            ),
            View("search without results", "/?q=%2Bxyzzyplugh&sources=archive", "main .nothing"),
            View("search, empty", "/", "main .lesson a"),
            View("document", f"/d/{self.document}?q=otter", "main article mark"),
            View("no document", "/d/1YQBub25l", "main .notice"),
            View("graph", f"/graph/{self.document}?q=otter", "main svg .node circle"),
            View("feed", "/feed", "main table tbody tr"),
            View("indices", "/indices", "main tr[data-index=default]"),
            View("index", "/indices/wrecks", "main li[data-id]"),
            View("archive", "/indices/archive", "main li[data-id]"),
            View("jobs", "/jobs", "main tr[data-job]"),
            View("job", f"/jobs/{self.job}", "main .problems li"),
            View("connect", "/connect", "main pre[data-client]"),
            View("account", "/account", "main table.calls tbody tr"),
            View("team, tokens", "/admin?tab=tokens", "main table.tokens tbody tr"),
            View("team, use", "/admin?tab=usage", "main tr[data-limit]"),
            View("team, calls", "/admin?tab=calls", "main table.calls tbody tr"),
            View("team, searches", "/admin?tab=searches", "main [role=tabpanel] h2"),
            View("team, health", "/admin?tab=health", "main .dot.good"),
            View("docs", "/docs", "main section.operation"),
        ]


LOGIN = View("sign-in", "/auth/login?next=%2Ffeed&problem=denied", "main input[name=token]")


def show(page: Page, service: Service, view: View) -> None:
    """Open a view and wait until it has been drawn."""
    page.goto(service.url + view.path)
    expect(page.locator(view.drawn).first).to_be_visible()
    expect(page.locator("main [aria-busy=true]")).to_have_count(0)


@contextmanager
def furnished(folder: Path) -> Iterator[Furnished]:
    """Run such a service while the block runs."""
    with run_service(folder, "--demo", env={"TRAWL_AUTH": "on"}) as service:
        wait_until_ready(service)
        token = first_token(service, "boss")
        with caller(service, token) as program:
            document = wait_until(lambda: _document(program), "the sample is read")
            _fill(program)
            yield Furnished(service, token, document, _failed_job(program))


def _document(program: httpx.Client) -> str | None:
    if program.get("/api/v1/archives/documents").json()["total"] < 10:
        return None
    hits = program.post("/api/v1/search", json={"query": QUERY, "sources": ["archive"], "detail": "full"}).json()
    return str(hits["results"][0]["fetch_id"])


def _fill(program: httpx.Client) -> None:
    program.post("/api/v1/indices", json={"index_name": "wrecks"}).raise_for_status()
    document = {"content": "The wreck of a fluyt.", "metadata": {"title": "A fluyt", "year": 1653, "tags": ["wood"]}}
    program.put("/api/v1/indices/wrecks/documents/one", json=document).raise_for_status()


def _failed_job(program: httpx.Client) -> str:
    """Upload files of which some cannot be read, and wait for the job."""
    files = [
        ("files", ("wreck.md", b"# The wreck\n\nA wreck lies at forty metres.\n")),
        ("files", ("broken.pdf", b"%PDF-1.7\nthis is no pdf\n")),
        ("files", ("hull.dwg", bytes(range(256)))),
    ]
    job: str = program.post("/api/v1/archives/upload", files=files).raise_for_status().json()["job_id"]
    wait_until(lambda: program.get(f"/api/v1/jobs/{job}").json()["status"] == "done", "the files are read")
    return job
