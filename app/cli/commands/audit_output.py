"""The audit as people and programs read it: a table, JSON lines, comma-separated values, and what verifying found."""

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TextIO

from app.cli.commands.export_output import write_json_lines
from app.cli.commands.report import printable
from app.cli.commands.table import Column, render_table
from app.cli.commands.units import counted

_COLUMNS: Final = (
    Column("TIME"),
    Column("TEAM"),
    Column("SUBJECT", flexible=True),
    Column("OPERATION"),
    Column("OBJECT", flexible=True),
    Column("OUTCOME"),
    Column("CLIENT", flexible=True),
    Column("ADDRESS"),
)
_FIELDS: Final = (
    *("time", "team", "subject", "client", "address", "operation", "object", "outcome"),
    *("duration_ms", "bytes"),
)
_FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")


def render_records(records: Iterable[Mapping[str, Any]]) -> str:
    """Render calls as a table."""
    return render_table(
        _COLUMNS, [[printable(record[column.heading.lower()]) for column in _COLUMNS] for record in records]
    )


def summary(verification: Mapping[str, Any]) -> str:
    """Say in one line what was verified, and whether it is whole."""
    entries = counted(verification["entries"], "entry", "entries")
    chains = counted(verification["chains"], "chain", "chains")
    erased = f", names erased in {verification['erased']:,}" if verification["erased"] else ""
    if verification["damage"]:
        places = counted(len(verification["damage"]), "place", "places")
        return f"The audit trail is damaged in {places}; intact: {entries} in {chains}{erased}"
    return f"The audit trail is whole: {entries} in {chains}{erased}"


def damage_lines(damage: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Render each damage in a line."""
    for found in damage:
        entry = f", entry {found['number']}" if found["number"] else ""
        yield printable(f"Chain {found['chain']}{entry}: {found['problem']}")


def _write_csv(file: TextIO, records: Iterable[Mapping[str, Any]]) -> int:
    writer = csv.writer(file)
    writer.writerow(_FIELDS)
    count = 0
    for count, record in enumerate(records, 1):  # noqa: B007 - the last number is the result
        writer.writerow([_cell(record[name]) for name in _FIELDS])
    return count


def _cell(value: str | int) -> str | int:
    """Return a value that no spreadsheet takes for a formula: callers choose their identifiers."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA_STARTS) else value


WRITERS: Final[Mapping[str, Callable[[TextIO, Iterable[Mapping[str, Any]]], int]]] = {
    "jsonl": write_json_lines,
    "csv": _write_csv,
}
