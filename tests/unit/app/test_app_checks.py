from pathlib import Path

import pytest

from app.cli.checks import Check, ingest_roots, outdated, parts, redis_program
from indexer.settings import IndexerSettings
from workers.settings import WorkerSettings

INDEXER = IndexerSettings(_env_file=None, engine="tantivy")


def test_ingest_roots_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    settings = WorkerSettings(_env_file=None, ingest_roots=(tmp_path, tmp_path / "absent"))
    there, absent = ingest_roots(settings)
    assert (there.status, absent.status) == ("ok", "broken")
    assert str(tmp_path / "absent") in absent.detail
    assert "TRAWL_INGEST_ROOTS" in absent.action


def test_outdated_indices_come_with_the_command_that_builds_them_anew() -> None:
    found = outdated(["archive", "notes"])
    assert (found.status, found.detail) == ("broken", "outdated: archive, notes")
    assert "trawl reindex archive" in found.action
    assert outdated([]).status == "ok"
    assert outdated(None).status == "ok"


@pytest.mark.parametrize(
    ("name", "said"), [("redis", "TRAWL_REDIS_URL"), ("workers", "trawl worker"), ("engine", "Restart")]
)
def test_a_part_that_is_broken_says_what_to_do(name: str, said: str) -> None:
    assert [check.status for check in parts({name: "ok"}, INDEXER)] == ["ok"]
    [found] = parts({name: "unavailable: no answer"}, INDEXER)
    assert found.status == "broken"
    assert said in found.action


def test_an_engine_elsewhere_is_looked_for_where_it_is_configured() -> None:
    elsewhere = IndexerSettings(_env_file=None, opensearch_url="http://one.example:9200")
    [found] = parts({"engine": "unavailable"}, elsewhere)
    assert "TRAWL_OPENSEARCH_URL" in found.action


def test_an_engine_that_does_not_answer_is_one_fault() -> None:
    down = {"engine": "unavailable: no answer", "disk": "ok", "writes": "unavailable: no answer"}
    assert [check.name for check in parts(down, INDEXER) if check.status == "broken"] == ["engine"]
    full = {"engine": "ok", "writes": "unavailable: the disk is full"}
    assert [check.name for check in parts(full, INDEXER) if check.status == "broken"] == ["writes"]


def test_the_private_redis_is_found() -> None:
    assert redis_program() == Check("redis", "ok", "a private one starts with the service")
