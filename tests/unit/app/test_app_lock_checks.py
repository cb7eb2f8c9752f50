from pathlib import Path

import pytest

from app.cli import lock_checks
from app.cli.lock_checks import locks
from tests.foreign_locks import FLOCK, holding


def test_the_doctor_names_who_keeps_a_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock_checks, "_PATIENCE_SECONDS", 0.05)
    (tmp_path / "locks").mkdir()
    (tmp_path / "locks" / "trawl.main.free.1.lock").touch()
    kept = tmp_path / "locks" / "trawl.main.kept.1.lock"
    with holding(FLOCK, kept) as process:
        [found] = locks(tmp_path)
        assert (found.name, found.status) == ("locks", "broken")
        assert "trawl.main.kept.1 is locked by " in found.detail
        assert not Path("/proc/locks").exists() or f"process {process} (" in found.detail
    assert [check.status for check in locks(tmp_path)] == ["ok"]


def test_where_nothing_was_written_nothing_is_made(tmp_path: Path) -> None:
    assert [check.status for check in locks(tmp_path)] == ["ok"]
    assert list(tmp_path.iterdir()) == []
