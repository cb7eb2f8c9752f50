"""A service with two teams: red asks, and everything that blue has carries a mark."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, cast

import httpx
import orjson

from indexer.archives.ids import file_id
from indexer.library import Library
from indexer.schema.dates import utc_now
from indexer.tenancy import Principal, TeamId
from mcp_server.access.scopes import ALL_SCOPES
from mcp_server.access.token_store import TokenStore
from mcp_server.document_ids import DocumentKey
from mcp_server.search_counts.search_records import forget_searches
from mcp_server.services import Services
from mcp_server.teams import remove_team
from tests.contract.shelf import Shelf, paper
from tests.service import application
from tests.teams_apart.compare import stable
from tests.teams_apart.handles import MARK, NOBODYS, REDS, Handles, alike_with
from tests.upstreams.openai import KEY, Answer, OpenAiServer
from tests.upstreams.openai_fixtures import RESPONSES
from tests.upstreams.osdu import OsduServer
from workers.jobs.jobs import Jobs
from workers.jobs.records import Job, Problem, Tally, new_job_id
from workers.sources.open import open_staging

# Processes of tests share a cluster, so each has teams of its own.
BLUE: Final = TeamId(f"{MARK}team{os.getpid()}")
RED: Final = TeamId(f"red{os.getpid()}")
RED_SUBJECT: Final = "token:agent"
INDEX: Final = f"{MARK}-plans"
PATH: Final = f"{MARK}folder/{MARK}-survey.md"
SHARED_LINK: Final = "https://reefs.example/paper"
QUOTE: Final = f"The {MARK}quoted sentence of this survey stands nowhere else."
QUESTION: Final = f"what became of the {MARK}question"
_DOCUMENTS: Final = 6


@dataclass(slots=True)
class World:
    """What a test of both teams needs."""

    client: httpx.AsyncClient
    services: Services
    red: dict[str, str]
    blue: dict[str, str]
    theirs: Handles
    unknown: Handles
    """Handles that nobody has."""
    to_store: Handles
    """Handles for what red itself stores."""
    canaries: tuple[str, ...]
    """Ids of blue, which carry no mark."""
    own: dict[str, str] = field(default_factory=dict)
    """Handles of red."""

    async def state_of_blue(self) -> Any:
        """Return what blue sees of its own, to find out whether somebody changed it."""
        asked = [
            ("GET", "/api/v1/indices", None),
            ("POST", f"/api/v1/indices/{INDEX}/search", {"query": "*", "k": 100}),
            ("POST", "/api/v1/indices/default/search", {"query": "*", "k": 100}),
            ("GET", "/api/v1/archives/documents", None),
            ("GET", "/api/v1/jobs", None),
            ("GET", "/api/v1/tokens", None),
            ("GET", "/api/v1/web/history", None),
        ]
        answers = [
            await self.client.request(method, path, json=body, headers=self.blue) for method, path, body in asked
        ]
        return [stable(answer.json()) for answer in answers]


@asynccontextmanager
async def two_teams(folder: Path, library: Library) -> AsyncIterator[World]:
    """Fill a service with what both teams have, on any engine."""
    async with AsyncExitStack() as stack:
        servers = [await stack.enter_async_context(OsduServer(None).running()) for _ in range(2)]
        web = [await stack.enter_async_context(OpenAiServer().running()) for _ in range(2)]
        for osdu, mark in zip(servers, (MARK, "red"), strict=True):
            osdu.answer = _records(mark)
        web[0].always = Answer(body=_with_mark(RESPONSES["plain"]))
        connections = _connections(folder, servers, web)
        client = await stack.enter_async_context(
            application(
                folder,
                library=library,
                auth="on",
                worker={"connections": connections},
                mcp={"calls_per_minute": 0},
            )
        )
        store = TokenStore(library.engine.records)
        tokens = {
            team: await asyncio.to_thread(store.issue, team, ALL_SCOPES, name=name, created_by=name)
            for team, name in ((BLUE, f"{MARK}token"), (RED, RED_SUBJECT.removeprefix("token:")))
        }
        headers = {team: {"authorization": f"Bearer {issued.token}"} for team, issued in tokens.items()}
        for team, mark in ((RED, ""), (BLUE, MARK)):
            await _fill(client, headers[team], Shelf(library, Principal(team, "setup")), mark)
        theirs = await _handles(client, headers[BLUE], library, folder, tokens[BLUE].record.id)
        secret = (*theirs.values().values(), tokens[BLUE].token, tokens[BLUE].record.digest)
        yield World(
            client,
            _services(client),
            headers[RED],
            headers[BLUE],
            theirs,
            alike_with(theirs, NOBODYS),
            alike_with(theirs, REDS),
            tuple(each for each in secret if MARK not in each.lower()),
            own={"index": "plans", "doc_id": "doc-1", "archive_id": file_id("folder/survey.md")},
        )
        for team in (RED, BLUE):
            await remove_team(_services(client), team, cancel_jobs=True, stop_seconds=0)
    for team in (RED, BLUE):
        # At its end the application has stored what it had counted meanwhile.
        await asyncio.to_thread(forget_searches, library.engine.records, team)


def _services(client: httpx.AsyncClient) -> Services:
    """Return what the application behind a client works with."""
    transport = client._transport
    assert isinstance(transport, httpx.ASGITransport)
    services: Services = cast("Any", transport.app).state.services
    return services


def _connections(folder: Path, osdu: list[OsduServer], web: list[OpenAiServer]) -> Path:
    (folder / "token").write_text(f"{MARK}-service-token")
    (folder / "key").write_text(KEY)
    sections = [
        f'[teams.{team}.osdu]\nurl = "{osdu[number].url}"\npartition = "{mark}partition"\ntoken = "file:token"\n'
        f'[teams.{team}.web]\nbase_url = "{web[number].url}"\napi_key = "file:key"\nhistory = ["{team}"]\n'
        "calls_per_10_minutes = 100000\n"
        for number, (team, mark) in enumerate(((BLUE, MARK), (RED, "red")))
    ]
    sections.append(
        f'[teams.{BLUE}.quilt]\ncatalog_url = "http://127.0.0.1:9/{MARK}catalog"\ntoken = "file:token"\n'
        f'[teams.{BLUE}.s3]\nbuckets = ["{MARK}bucket"]\n'
        f'[teams.{BLUE}.folders]\nroots = ["/srv/{MARK}root"]\n'
    )
    path = folder / "connections.toml"
    path.write_text("".join(sections))
    return path


def _records(mark: str) -> bytes:
    data = {"FacilityName": f"{mark}well", f"{mark}Field": f"{mark}value"}
    record = {"id": f"{mark}:well:1", "kind": f"{mark}:wks:well:1.0.0", "data": data}
    return orjson.dumps({"results": [record], "totalCount": 50, "aggregations": [{"key": f"{mark}kind", "count": 1}]})


def _with_mark(response: Any) -> Any:
    return orjson.loads(orjson.dumps(response).replace(b"eef", f"eef{MARK}".encode()))


async def _fill(client: httpx.AsyncClient, token: dict[str, str], shelf: Shelf, mark: str) -> None:
    """Give a team the same things, with or without the mark."""
    index = INDEX if mark else "plans"
    await client.post("/api/v1/indices", json={"index_name": index}, headers=token)
    dash = f"{mark}-" if mark else ""
    documents = [
        {
            "doc_id": f"{dash}doc-{number}",
            "content": f"A coral reef number {number} {mark}content{number} with polyps{mark}",
            "metadata": {"author": f"{mark}author{number}", f"{mark}field": f"{mark}value", "year": 2000 + number},
        }
        for number in range(_DOCUMENTS)
    ]
    for name in (index, "default"):
        body = {"documents": documents}
        answer = await client.post(f"/api/v1/indices/{name}/documents", json=body, headers=token)
        assert answer.json()["failed"] == 0
    quote = QUOTE if mark else "Nothing of this is quoted."
    survey = paper(
        f"{mark}folder/{dash}survey.md", f"A coral reef. {quote}", links=(SHARED_LINK, f"https://{mark}link.example/")
    )
    others = [paper(f"{mark}folder/{dash}note-{number}.md", f"Reef {mark}note{number}.") for number in range(4)]
    await shelf.put(survey, *others)
    await client.post("/api/v1/osdu/search", json={"query": "well"}, headers=token)
    await client.post("/api/v1/web/search", json={"query": QUESTION if mark else "reefs of Belize"}, headers=token)
    await client.get("/api/v1/quilt/info", headers=token)


async def _handles(
    client: httpx.AsyncClient, token: dict[str, str], library: Library, folder: Path, token_id: str
) -> Handles:
    file = {"files": (f"{MARK}-upload.md", b"# A reef")}
    job_id = (await client.post("/api/v1/archives/upload", files=file, headers=token)).json()["job_id"]
    await asyncio.to_thread(_failed_job, library)

    async def cursor(path: str, body: dict[str, Any]) -> str:
        answer = (await client.post(path, json=body, headers=token)).json()
        assert answer["next_cursor"], answer
        return str(answer["next_cursor"])

    listed = (await client.get("/api/v1/archives/documents", params={"limit": 1}, headers=token)).json()
    audit = (await client.get("/api/v1/audit", params={"limit": 1}, headers=token)).json()
    history = (await client.get("/api/v1/web/history", headers=token)).json()["searches"]
    archive_id = file_id(PATH)
    return Handles(
        team=BLUE,
        index=INDEX,
        doc_id=f"{MARK}-doc-1",
        word=f"{MARK}content1",
        field=f"{MARK}field",
        author=f"{MARK}author1",
        quote=QUOTE,
        path=PATH,
        archive_id=archive_id,
        indexed_id=DocumentKey("indices", INDEX, f"{MARK}-doc-1").encode(),
        archived_id=DocumentKey("archive", None, archive_id).encode(),
        job_id=job_id,
        upload_id=open_staging(folder / "data").of_team(BLUE)[0],
        token_id=token_id,
        history_id=history[0]["id"],
        subject=audit["records"][0]["subject"],
        record_id=f"{MARK}:well:1",
        partition=f"{MARK}partition",
        bucket=f"{MARK}bucket",
        root=f"/srv/{MARK}root",
        index_cursor=await cursor(f"/api/v1/indices/{INDEX}/search", {"query": "reef", "k": 1}),
        archive_cursor=await cursor("/api/v1/archives/search", {"query": "reef", "limit": 1}),
        list_cursor=listed["next_cursor"],
        osdu_cursor=await cursor("/api/v1/osdu/search", {"query": "well", "limit": 1}),
        audit_cursor=audit["next_cursor"],
    )


def _failed_job(library: Library) -> None:
    """Record a job of blue that failed at a file."""
    job = Job(
        team=BLUE,
        id=new_job_id(),
        kind="ingest",
        created_at=utc_now(),
        revision=library.clock.next(),
        subject=f"{MARK}subject",
        source={"type": "folder", "path": f"/srv/{MARK}root", "include": None, "exclude": None, "mirror": False},
    )
    Jobs(library.engine.records).start(job)
    Jobs(library.engine.records).all.change(
        job.key,
        lambda latest: replace(
            latest.ended("failed"), tally=Tally(found=1, failed=1, errors=(Problem(PATH, "is broken"),))
        ),
    )
