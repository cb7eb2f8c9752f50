import os
import sys
import time

import click
import pytest

from app.cli.commands.table import Column, render_table
from app.cli.commands.units import counted, human_size, local_time

COLUMNS = (Column("NAME"), Column("COUNT", right=True), Column("TITLE", flexible=True))


def lines(*rows: tuple[str, str, str]) -> list[str]:
    return click.unstyle(render_table(COLUMNS, rows)).splitlines()


def in_terminal(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size((columns, 24)))


def test_columns_are_aligned_below_their_headings() -> None:
    assert lines(("a", "1", "One"), ("long", "1,000", "Two")) == [
        "NAME  COUNT  TITLE",
        "a         1  One",
        "long  1,000  Two",
    ]


def test_in_a_pipe_nothing_is_cut() -> None:
    assert lines(("a", "1", "x" * 500))[1].endswith("x" * 500)


def test_in_a_terminal_lines_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    in_terminal(monkeypatch, 40)
    shown = lines(("a", "1", "x" * 500), ("b", "2", "漢字" * 30), ("c", "3", "short"))
    assert [len(line) for line in shown[1:2]] == [40]
    assert shown[1].endswith("x…")
    assert shown[2].endswith("字…") or shown[2].endswith("漢…")
    assert shown[3].endswith("short")


def test_a_terminal_that_is_too_narrow_cuts_no_column_to_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    in_terminal(monkeypatch, 5)
    assert lines(("a", "1", "x" * 50))[1] == "a         1  xxxxxxx…"


def test_wide_and_combining_characters_are_aligned() -> None:
    shown = lines(("漢字", "1", "a"), ("e\u0301", "2", "b"))
    assert shown[1:] == ["漢字" + 6 * " " + "1  a", "e\u0301" + 9 * " " + "2  b"]


@pytest.mark.parametrize(
    ("count", "text"), [(0, "0 matches"), (1, "1 match"), (2, "2 matches"), (1234, "1,234 matches")]
)
def test_nouns_agree_with_their_number(count: int, text: str) -> None:
    assert counted(count, "match", "matches") == text


@pytest.mark.parametrize(
    ("size", "text"), [(0, "0 B"), (999, "999 B"), (31_449, "31.4 kB"), (5_000_000, "5 MB"), (7 * 10**15, "7,000 TB")]
)
def test_sizes_have_three_digits(size: int, text: str) -> None:
    assert human_size(size) == text


def test_times_are_those_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:

    monkeypatch.setenv("TZ", "Etc/GMT-2")
    time.tzset()
    try:
        assert local_time("2025-05-20T22:31:05Z") == "2025-05-21 00:31"
        assert local_time(None) == ""
    finally:
        monkeypatch.undo()
        time.tzset()
