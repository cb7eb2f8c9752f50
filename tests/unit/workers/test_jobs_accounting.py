"""Every file of a folder is accounted for exactly once: found = indexed + unchanged + failed + skipped."""

import io
import os
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from app.http.byte_stream import ByteStream
from indexer.archives.ids import file_id
from indexer.archives.stored import stored_fields
from indexer.schema.dates import utc_now
from indexer.settings import IndexerSettings
from tests.unit.workers.generated_trees import LIMIT_BYTES, RULES, TREES, Inventory, Tree, lay_out
from tests.unit.workers.jobs_workplace import TEAM, ListedBroker, do_all, documents
from workers.context import WorkerContext
from workers.jobs.records import Job, new_job_id
from workers.jobs.render import render_status
from workers.jobs.results import JobStatusResult
from workers.local_files import TAR, files_of_folder
from workers.parsers.child.parser import Parser
from workers.settings import WorkerSettings
from workers.sources.arguments import FolderSource, IngestSource, UploadSource

EXAMPLES = 1_000 if os.environ.get("TRAWL_THOROUGH") else 45
STEADY = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    phases=(Phase.explicit, Phase.generate, Phase.shrink),
    suppress_health_check=list(HealthCheck),
)
Way = Literal["by path", "sent by the command"]
WAYS = st.sampled_from(["by path", "sent by the command"])
PATTERNS = st.sampled_from([None, ["*.md"], ["sub/**", "/a.md"], ["build/*"]])
OPTIONS = st.fixed_dictionaries(
    {"include": PATTERNS, "exclude": st.sampled_from([None, ["sub/"], ["*.txt", "deep/**"]]), "ignore": st.booleans()}
)
NO_OPTIONS = {"include": None, "exclude": None, "ignore": True}
Change = Tree | bytes
CHANGES = RULES | TREES
"""Another tree, or other patterns in the ignore file at its top."""


@dataclass
class Shop:
    """One worker for all examples; each has a folder of its own."""

    folder: Path
    context: WorkerContext
    broker: ListedBroker
    numbers: Iterator[int]

    def new_folder(self) -> Path:
        return self.folder / "roots" / f"notes{next(self.numbers)}"

    def source(self, files: Path, way: Way, options: dict[str, Any], *, mirror: bool = False) -> IngestSource:
        if way == "by path":
            return FolderSource(type="folder", path=str(files), mirror=mirror, **options)
        given = {name: options[name] or () for name in ("include", "exclude")}
        sent = files_of_folder(files, **given, ignore=options["ignore"], mirror=mirror, limit=LIMIT_BYTES)
        stream = ByteStream(sent.tar(lambda _: None))
        settings, origin = self.context.settings, sent.source.origin
        staged = self.context.staging.stage(TEAM, [(TAR, stream)], files.name, settings, origin)
        return UploadSource(type="upload", staged=staged, mirror=mirror)

    def run(self, source: IngestSource) -> Job:
        job = Job(
            team=TEAM,
            id=new_job_id(),
            kind="ingest",
            created_at=utc_now(),
            revision=self.context.library.clock.next(),
            source=source.model_dump(mode="json"),
        )
        self.context.jobs.start(job)
        return do_all(self.context, self.broker, job)

    def documents(self, files: Path) -> dict[str, str]:
        """Return the ids of a folder's documents by their paths."""
        paths = {id_: stored_fields(document.payload)["path"] for id_, document in documents(self.context).items()}
        return {path: id_ for id_, path in paths.items() if path.startswith(f"{files.name}/")}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory, parser: Parser) -> Iterator[Shop]:
    folder = tmp_path_factory.mktemp("accounting")
    settings_ = WorkerSettings(
        worker_lease_seconds=1_000, ingest_roots=(folder / "roots",), max_file_mb=LIMIT_BYTES / 1e6, _env_file=None
    )
    broker = ListedBroker(settings_)
    context = WorkerContext(settings_, IndexerSettings(engine="tantivy", data_dir=folder / "data"), broker)
    context.__dict__["parser"] = parser
    yield Shop(folder, context, broker, count())
    del context.__dict__["parser"]
    context.close()


def told(status: JobStatusResult) -> Counter[str]:
    """Return the paths that a job names as failed or skipped."""
    return Counter(each["path"] for each in [*status["errors"], *status["skipped"]])


def assert_balanced(job: Job) -> JobStatusResult:
    assert job.status == "done", job.tally.errors
    status = render_status(job)
    counts = status["counts"]
    assert counts["found"] == counts["indexed"] + counts["unchanged"] + counts["failed"] + counts["skipped"]
    assert (counts["failed"], counts["skipped"]) == (len(status["errors"]), len(status["skipped"]))
    kinds = [each for each in status["skipped"] if each["reason"] == "no reader for this kind"]
    assert sum(each["count"] for each in status["skipped_kinds"]) == len(kinds)
    assert (status["warning"] is None) == (counts["indexed"] + counts["unchanged"] > 0)
    return status


def assert_all_accounted(shop: Shop, files: Path, job: Job, *, mirror: bool) -> None:
    status = assert_balanced(job)
    read = Inventory.of(files).not_in(told(status))
    assert sum(read.values()) == status["counts"]["indexed"] + status["counts"]["unchanged"], read
    documents = shop.documents(files)
    assert {path: documents.get(path) for path in read} == {path: file_id(path) for path in read}
    if mirror:
        assert documents.keys() <= read.keys() | {each["path"] for each in status["errors"]}


@STEADY
@given(tree=TREES, changes=st.lists(CHANGES, min_size=1, max_size=2), options=OPTIONS, way=WAYS, mirror=st.booleans())
def test_every_file_of_a_folder_is_accounted_for_once_also_when_it_changes(
    shop: Shop, *, tree: Tree, changes: list[Change], options: dict[str, Any], way: Way, mirror: bool
) -> None:
    files = shop.new_folder()
    lay_out(files, tree)
    assert_all_accounted(shop, files, shop.run(shop.source(files, way, NO_OPTIONS, mirror=mirror)), mirror=mirror)
    for change in changes:
        if isinstance(change, bytes):
            (files / ".trawlignore").write_bytes(change)
        else:
            lay_out(files, change)
        job = shop.run(shop.source(files, way, options, mirror=mirror))
        assert_all_accounted(shop, files, job, mirror=mirror)
    shop.run(shop.source(files, way, options, mirror=mirror))
    again = shop.run(shop.source(files, way, options, mirror=mirror))
    assert again.tally.indexed == 0
    assert_all_accounted(shop, files, again, mirror=mirror)


@settings(STEADY, max_examples=EXAMPLES // 3)
@given(tree=TREES, options=OPTIONS)
def test_a_folder_that_is_read_and_one_that_is_sent_give_the_same_counts(
    shop: Shop, tree: Tree, options: dict[str, Any]
) -> None:
    files = shop.new_folder()
    lay_out(files, tree)
    read = render_status(shop.run(shop.source(files, "by path", options)))
    sent = render_status(shop.run(shop.source(files, "sent by the command", options)))
    assert sent["counts"] == {**read["counts"], "indexed": 0, "unchanged": read["counts"]["indexed"]}
    assert sent["skipped_kinds"] == read["skipped_kinds"]
    assert told(sent) == told(read)


@settings(STEADY, max_examples=EXAMPLES // 3)
@given(tree=TREES)
def test_a_job_that_is_retried_accounts_for_all_files_again(shop: Shop, tree: Tree) -> None:
    files = shop.new_folder()
    lay_out(files, tree)
    job = shop.run(shop.source(files, "by path", NO_OPTIONS))
    shop.context.jobs.reopen(TEAM, job.id)
    assert do_all(shop.context, shop.broker, job).tally == job.tally


@settings(STEADY, max_examples=EXAMPLES // 3)
@given(tree=TREES)
def test_every_file_of_a_zip_file_is_accounted_for_once(shop: Shop, tree: Tree) -> None:
    files = shop.new_folder()
    lay_out(files, tree)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for here, _, names in os.walk(files):
            for name in names:
                path = Path(here, name)
                # A zip file holds no links, and its names are text.
                if path.is_file() and not path.is_symlink() and str(path).isprintable():
                    archive.write(path, path.relative_to(files))
        members = archive.namelist()
    sent = [("notes.zip", io.BytesIO(packed.getvalue()))]
    staged = shop.context.staging.stage(TEAM, sent, files.name, shop.context.settings)
    status = assert_balanced(shop.run(UploadSource(type="upload", staged=staged)))
    hidden = {path.removeprefix(f"{files.name}/") for path in told(status) if path.endswith("/")}
    left = [name for name in members if not any(name.startswith(folder) for folder in hidden)]
    assert status["counts"]["found"] == len(left) + len(hidden)
