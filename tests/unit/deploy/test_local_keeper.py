import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from deploy.local.errors import LocalOpenSearchUnavailable
from tests import keeper
from tests.services import ServerUnavailable


@contextmanager
def node(_: str) -> Iterator[str]:
    yield "http://node"


@contextmanager
def container(_: str) -> Iterator[str]:
    yield "http://container"


@contextmanager
def broken(_: str) -> Iterator[str]:
    raise RuntimeError("no such image")
    yield ""


@pytest.fixture(autouse=True)
def a_developers_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CI", "TRAWL_REQUIRE_SERVICES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(keeper, "uses_docker", lambda: True)
    monkeypatch.setattr(keeper, "local", node)


@pytest.mark.parametrize(
    ("docker", "in_docker", "expected"),
    [(True, container, "http://container"), (True, broken, "http://node"), (False, container, "http://node")],
)
def test_a_container_is_used_where_one_starts_and_a_local_server_elsewhere(
    docker: bool, in_docker: object, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeper, "uses_docker", lambda: docker)
    monkeypatch.setattr(keeper, "container", in_docker)
    with keeper.running("opensearch") as url:
        assert url == expected


def test_a_broken_container_is_a_failure_where_servers_are_required(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "1")
    monkeypatch.setattr(keeper, "container", broken)
    with pytest.raises(ServerUnavailable, match="no such image"), keeper.running("opensearch"):
        pass


def test_a_failure_of_the_holder_is_not_taken_for_one_of_the_container(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "container", container)
    with pytest.raises(KeyError), keeper.running("opensearch"):
        raise KeyError


def test_the_keeper_tells_the_address_and_ends_with_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "running", node)
    (tmp_path / "lifeline").touch()
    keeper.main("opensearch", tmp_path)
    assert json.loads((tmp_path / "opensearch.json").read_text()) == {"url": "http://node"}


@pytest.mark.parametrize("error", [LocalOpenSearchUnavailable, ServerUnavailable])
def test_the_keeper_tells_what_is_missing(
    error: type[Exception], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def nothing(_: str) -> Iterator[str]:
        raise error("Maven is missing")
        yield ""

    monkeypatch.setattr(keeper, "running", nothing)
    keeper.main("opensearch", tmp_path)
    assert json.loads((tmp_path / "opensearch.json").read_text()) == {"missing": "Maven is missing"}
