import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from indexer.bootstrap import open_library
from indexer.errors import NotConfigured, PlatformError
from indexer.index.deleting import delete_documents
from indexer.index.writing import write_documents
from indexer.local.definition import LOCAL
from indexer.local.mapping import stored_document
from indexer.settings import IndexerSettings
from indexer.status import status
from indexer.tenancy import DEFAULT_INDEX, DocumentId
from tests.contract.caller import Caller, failure_of, new_caller
from tests.made_services import MAIN


def test_a_worker_writes_and_closes_without_an_event_loop(engine_settings: IndexerSettings) -> None:
    library = open_library(engine_settings)
    caller = new_caller(library)
    document = stored_document(LOCAL, DocumentId("a"), library.clock.next(), "boat", {})
    [written] = write_documents(library, caller.principal.team, DEFAULT_INDEX, [document])
    assert written.status == "created"
    [deleted] = delete_documents(library, caller.principal.team, DEFAULT_INDEX, [document.id])
    assert deleted.status == "deleted"
    [late] = write_documents(library, caller.principal.team, DEFAULT_INDEX, [document])
    assert late.status == "superseded"
    caller.remove_all()
    library.close()


async def test_what_was_written_is_there_after_opening_again(engine_settings: IndexerSettings, caller: Caller) -> None:
    await caller.create("notes")
    await caller.add("a", "boat", index_name="notes")
    again = open_library(engine_settings)
    try:
        assert await Caller(again, caller.principal).matching("boat", index_name="notes") == {"a"}
    finally:
        await again.aclose()


@pytest.fixture
def refusing_port() -> Iterator[int]:
    """A port that nobody listens on, and that nobody else can take."""
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        yield holder.getsockname()[1]


async def test_opening_contacts_nothing_and_a_cluster_that_is_down_is_told_as_such(
    tmp_path: Path, refusing_port: int
) -> None:
    settings = IndexerSettings(
        engine="opensearch",
        opensearch_url=f"http://127.0.0.1:{refusing_port}",
        secret_key=SecretStr("k"),
        data_dir=tmp_path,
        search_timeout=5,
    )
    library = open_library(settings)
    try:
        caller = Caller(library, MAIN)
        for call in (caller.search("boat"), caller.add("a", "boat"), caller.indices(), caller.delete("a")):
            assert (await failure_of(call))["error_category"] in {"unavailable", "timeout"}
        told = await status(library, MAIN)
        assert told["engine"]["status"].startswith("unavailable: ")
        assert told["indices"] is None
    finally:
        await library.aclose()


def test_opensearch_without_a_url_says_what_to_set(tmp_path: Path) -> None:
    settings = IndexerSettings(engine="opensearch", opensearch_url=None, secret_key=SecretStr("k"), data_dir=tmp_path)
    with pytest.raises(NotConfigured, match="TRAWL_OPENSEARCH_URL"):
        open_library(settings)


def test_an_embedded_library_makes_its_key_in_the_data_folder(tmp_path: Path) -> None:
    settings = IndexerSettings(engine="tantivy", secret_key=None, data_dir=tmp_path / "data")
    library = open_library(settings)
    try:
        assert (tmp_path / "data" / "secret.key").exists()
    finally:
        library.close()


def test_a_missing_key_is_an_expected_failure(tmp_path: Path) -> None:
    settings = IndexerSettings(
        engine="opensearch", opensearch_url="http://127.0.0.1:9", secret_key=None, data_dir=tmp_path
    )
    with pytest.raises(PlatformError, match="TRAWL_SECRET_KEY"):
        open_library(settings)
