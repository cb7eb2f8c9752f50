"""A process that rebuilds an index is killed at work, for real; the index serves on and the next run finishes."""

import asyncio
import os
import random
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pytest

from indexer.bootstrap import open_library
from indexer.errors import Conflict
from indexer.library import Library
from indexer.reindex.rebuild import RebuildReport, abandoned, rebuild
from indexer.reindex.session import discard
from indexer.settings import IndexerSettings
from indexer.tenancy import DEFAULT_INDEX, Principal, TeamId
from tests.contract.caller import Caller
from tests.contract.engines import ENGINES, settings_of

REBUILDING = """
import sys
from indexer.bootstrap import open_library
from indexer.reindex.rebuild import rebuild
from indexer.settings import IndexerSettings
from indexer.tenancy import DEFAULT_INDEX, TeamId

def say(what):
    print(what, flush=True)

rebuild(
    open_library(IndexerSettings()), TeamId(sys.argv[1]), DEFAULT_INDEX,
    owner="j_1", progress=say, cancelled=lambda: False, reached=say,
)
"""
DOCUMENTS = 600
STEPS = ("registered", "copied", "replayed", "verified", "swapped")
MOMENTS = tuple(random.Random(1).sample(range(10), 3))
"""How many lines the process has written."""


@pytest.fixture(scope="module", params=ENGINES)
def engine_settings(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> IndexerSettings:
    return settings_of(request.param, request, tmp_path_factory.mktemp("data"))


@pytest.fixture
async def caller(engine_settings: IndexerSettings) -> AsyncIterator[Caller]:
    library = open_library(engine_settings)
    made = Caller(library, Principal(TeamId(f"t{uuid4().hex[:16]}"), "anonymous"))
    yield made
    await asyncio.to_thread(made.remove_all)
    for name in library.engine.writer.physical_names(f"trawl.{made.principal.team}."):
        library.engine.writer.drop(name)
    await library.aclose()


@contextmanager
def rebuilding(settings: IndexerSettings, team: TeamId) -> Iterator[subprocess.Popen[str]]:
    """Start a process that rebuilds the team's index and says how far it is."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TRAWL_")}
    environment |= {
        "TRAWL_ENGINE": settings.chosen_engine,
        "TRAWL_DATA_DIR": str(settings.data_dir),
        "TRAWL_SECRET_KEY": "k",
        "TRAWL_OPENSEARCH_URL": settings.opensearch_url or "",
        "TRAWL_SEARCH_TIMEOUT": str(settings.search_timeout),
        "PYTHONPATH": str(Path(__file__).parents[2]),
    }
    process = subprocess.Popen(
        [sys.executable, "-c", REBUILDING, team],
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=settings.data_dir,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait(60)
        assert process.stdout is not None
        process.stdout.close()


class Shelf:
    """What must be in the index: changed only when a call has answered."""

    def __init__(self, caller: Caller, seed: object) -> None:
        self.caller = caller
        self.random = random.Random(f"{seed}")
        self.present = {f"d{n}": 0 for n in range(DOCUMENTS)}
        self.changes = 0

    async def fill(self) -> None:
        await self.caller.fill({id_: ("boat", {"n": 0}) for id_ in self.present})

    async def change(self) -> None:
        self.changes += 1
        id_ = f"d{self.random.randrange(DOCUMENTS + 100)}"
        if self.random.random() < 0.4:
            await self.caller.delete(id_)
            self.present.pop(id_, None)
        else:
            await self.caller.add(id_, "boat", {"n": self.changes})
            self.present[id_] = self.changes

    async def check(self) -> None:
        found: dict[str, int] = {}
        for page in await self.caller.pages("boat", k=1_000):
            for hit in page["results"]:
                assert hit["doc_id"] not in found
                found[hit["doc_id"]] = hit["metadata"]["n"]
        assert found == self.present


async def killed_after(settings: IndexerSettings, shelf: Shelf, wanted: int | str) -> None:
    """Change documents while a process rebuilds, and kill it when it has said so many things, or this one."""
    with rebuilding(settings, shelf.caller.principal.team) as process:
        assert process.stdout is not None
        for number, line in enumerate(process.stdout):
            await shelf.change()
            if wanted in (number, line.strip()):
                process.kill()


def finished(library: Library, team: TeamId, owner: str) -> RebuildReport:
    return rebuild(library, team, DEFAULT_INDEX, owner=owner, progress=lambda _: None, cancelled=lambda: False)


@pytest.mark.parametrize("moment", [*STEPS, *MOMENTS])
async def test_the_same_owner_finishes_what_was_killed(
    caller: Caller, engine_settings: IndexerSettings, moment: int | str
) -> None:
    shelf = Shelf(caller, moment)
    await shelf.fill()
    await killed_after(engine_settings, shelf, moment)
    await shelf.check()
    await shelf.change()
    report = await asyncio.to_thread(finished, caller.library, caller.principal.team, "j_1")
    assert report.documents == len(shelf.present)
    assert report.resumed
    await shelf.check()
    await shelf.change()
    await shelf.check()


@pytest.mark.parametrize("moment", ["registered", "verified"])
async def test_another_owner_starts_after_the_killed_one_was_discarded(
    caller: Caller, engine_settings: IndexerSettings, moment: str
) -> None:
    shelf, team = Shelf(caller, moment), caller.principal.team
    await shelf.fill()
    await killed_after(engine_settings, shelf, moment)
    left = [build for build in abandoned(caller.library, lambda _owner: False) if build.team == team]
    for build in left:
        with pytest.raises(Conflict, match="j_1"):
            await asyncio.to_thread(finished, caller.library, team, "j_2")
        assert discard(caller.library, team, DEFAULT_INDEX, build.generation)
    await shelf.change()
    report = await asyncio.to_thread(finished, caller.library, team, "j_2")
    assert (report.documents, report.resumed) == (len(shelf.present), False)
    await shelf.check()
