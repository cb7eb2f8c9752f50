"""Exports: what stands in them, and who may read the file."""

import csv
import io
import json
import stat
from pathlib import Path
from typing import Any

import pytest

from app.cli.commands.audit_output import WRITERS, damage_lines, summary
from app.cli.commands.export_output import export_file
from indexer.errors import Invalid

RECORD: dict[str, Any] = {
    "time": "2026-07-01T12:00:00.123Z",
    "team": "geo",
    "subject": "token:laptop",
    "client": "probe/1.0",
    "address": "192.0.2.7",
    "operation": "search_delete_document",
    "object": "notes/größe, zweite\nZeile",
    "outcome": "ok",
    "duration_ms": 41,
    "bytes": 0,
}


def written(format_: str, *records: dict[str, Any]) -> str:
    file = io.StringIO(newline="")
    assert WRITERS[format_](file, records) == len(records)
    return file.getvalue()


def test_a_line_holds_a_record() -> None:
    lines = written("jsonl", RECORD, RECORD).splitlines()
    assert [json.loads(line) for line in lines] == [RECORD, RECORD]


def test_values_are_read_back_as_they_were() -> None:
    (row,) = csv.DictReader(io.StringIO(written("csv", RECORD), newline=""))
    assert row == {name: str(value) for name, value in RECORD.items()}


@pytest.mark.parametrize("identifier", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1"])
def test_no_value_is_a_formula_of_a_spreadsheet(identifier: str) -> None:
    (row,) = csv.DictReader(io.StringIO(written("csv", {**RECORD, "object": identifier}), newline=""))
    assert row["object"] == f"'{identifier}"


@pytest.mark.parametrize("format_", WRITERS)
def test_nothing_is_an_export_too(format_: str) -> None:
    assert len(written(format_).splitlines()) == (format_ == "csv")


def test_a_file_is_for_its_owner_alone_and_replaces_an_older_one(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    path.write_text("older")
    with export_file(path) as file:
        file.write("new")
        assert path.read_text() == "older"
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_an_export_that_fails_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(KeyError), export_file(tmp_path / "audit.jsonl") as file:
        WRITERS["csv"](file, [RECORD, {}])
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(Invalid, match="cannot be written"), export_file(tmp_path / "absent" / "x"):
        pass


def test_what_verifying_found_is_told_in_a_line_each() -> None:
    damage = [{"chain": "c1", "number": 0, "problem": "it is gone"}, {"chain": "c2", "number": 7, "problem": "changed"}]
    assert list(damage_lines(damage)) == ["Chain c1: it is gone", "Chain c2, entry 7: changed"]
    found = {"chains": 1, "entries": 1_200, "erased": 2, "damage": []}
    assert summary(found) == "The audit trail is whole: 1,200 entries in 1 chain, names erased in 2"
    damaged = "The audit trail is damaged in 2 places; intact: 1,200 entries in 1 chain, names erased in 2"
    assert summary({**found, "damage": damage}) == damaged
