import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from deploy.local.errors import LocalOpenSearchUnavailable
from tests import keeper


@contextmanager
def node() -> Iterator[str]:
    yield "http://node"


@contextmanager
def container() -> Iterator[str]:
    yield "http://container"


@contextmanager
def broken() -> Iterator[str]:
    raise RuntimeError("no such image")
    yield ""


@pytest.mark.parametrize(
    ("docker", "in_docker", "expected"),
    [(True, container, "http://container"), (True, broken, "http://node"), (False, container, "http://node")],
)
def test_a_container_is_used_where_one_starts_and_a_local_node_elsewhere(
    docker: bool, in_docker: object, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeper, "docker_answers", lambda: docker)
    monkeypatch.setattr(keeper, "container", in_docker)
    monkeypatch.setattr(keeper, "local_node", node)
    with keeper.opensearch() as url:
        assert url == expected


def test_the_keeper_tells_the_address_and_ends_with_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "opensearch", node)
    (tmp_path / "lifeline").touch()
    keeper.main(tmp_path)
    assert json.loads((tmp_path / "opensearch.json").read_text()) == {"url": "http://node"}


def test_the_keeper_tells_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def nothing() -> Iterator[str]:
        raise LocalOpenSearchUnavailable("Maven is missing")
        yield ""

    monkeypatch.setattr(keeper, "opensearch", nothing)
    keeper.main(tmp_path)
    assert json.loads((tmp_path / "opensearch.json").read_text()) == {"missing": "Maven is missing"}
