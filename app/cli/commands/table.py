"""Tables: columns are aligned, and cut to the width of a terminal; in a pipe they are whole."""

import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from unicodedata import combining, east_asian_width

import click

_GAP: Final = "  "
_MIN_WIDTH: Final = 8


@dataclass(frozen=True, slots=True)
class Column:
    """A column; `flexible` ones are cut if a line does not fit."""

    heading: str
    right: bool = False
    flexible: bool = False


def render_table(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> str:
    """Render rows of printable texts below their headings."""
    headings = [column.heading for column in columns]
    widths = [max(_width(row[number]) for row in (headings, *rows)) for number in range(len(columns))]
    if sys.stdout.isatty():
        widths = _fit(columns, widths, shutil.get_terminal_size().columns)
    lines = [click.style(_line(columns, widths, headings), bold=True)]
    return "\n".join([*lines, *(_line(columns, widths, row) for row in rows)])


def _fit(columns: Sequence[Column], widths: Sequence[int], available: int) -> list[int]:
    """Take what is too much from the widest flexible column, a character at a time."""
    fitted = list(widths)
    excess = sum(fitted) + len(_GAP) * (len(fitted) - 1) - available
    flexible = [number for number, column in enumerate(columns) if column.flexible]
    while excess > 0 and flexible:
        widest = max(flexible, key=lambda number: fitted[number])
        if fitted[widest] <= _MIN_WIDTH:
            break
        fitted[widest] -= 1
        excess -= 1
    return fitted


def _line(columns: Sequence[Column], widths: Sequence[int], cells: Sequence[str]) -> str:
    shown = []
    for column, width, cell in zip(columns, widths, cells, strict=True):
        text = _cut(cell, width)
        padding = " " * (width - _width(text))
        shown.append(padding + text if column.right else text + padding)
    return _GAP.join(shown).rstrip()


def _cut(text: str, width: int) -> str:
    if _width(text) <= width:
        return text
    while _width(text) >= width:
        text = text[:-1]
    return f"{text}…"


def _width(text: str) -> int:
    """Return how many columns of a terminal the text takes."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(character) else 2 if east_asian_width(character) in "WF" else 1 for character in text)
