import pytest

from tests.snapshots.record import FOLDER, snapshots

NAMES = ["mcp.json", "openapi.json", "failures.json", "metrics.json", "failure_texts.txt", "help.txt"]


@pytest.fixture(scope="module")
def seen() -> dict[str, str]:
    return snapshots()


@pytest.mark.xdist_group("snapshots")
@pytest.mark.parametrize("name", NAMES)
def test_users_see_what_was_recorded(seen: dict[str, str], name: str) -> None:
    recorded = (FOLDER / name).read_text(encoding="utf-8")
    assert seen[name] == recorded, "look at the difference; if it is meant, run `make snapshots`"


def test_everything_that_is_recorded_is_compared(seen: dict[str, str]) -> None:
    assert sorted(seen) == sorted(NAMES) == sorted(path.name for path in FOLDER.iterdir())
