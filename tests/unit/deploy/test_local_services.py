from pathlib import Path

import pytest

from tests.services import missing


def test_a_missing_server_skips_a_test_on_a_developers_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("TRAWL_REQUIRE_SERVICES", raising=False)
    with pytest.raises(pytest.skip.Exception, match="no server"):
        missing("no server")


@pytest.mark.parametrize("name", ["CI", "TRAWL_REQUIRE_SERVICES"])
def test_a_missing_server_fails_a_test_where_servers_are_required(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "1")
    with pytest.raises(pytest.fail.Exception, match="no server"):
        missing("no server")


def test_no_test_module_lies_beside_the_plugins(pytestconfig: pytest.Config) -> None:
    # pytest would put that folder on the import path, where redis.py hides the package of that name.
    beside = [path.name for path in Path(pytestconfig.rootpath / "tests").glob("*.py")]
    assert [name for name in beside if name.startswith("test_") or name == "conftest.py"] == []
