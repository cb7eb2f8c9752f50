"""Tables of ratios, each with its target: printed, and written into a document between its markers."""

import os
import platform
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

HEADINGS = ("measured", "value", "target", "", "absolute numbers")


@dataclass(frozen=True)
class Row:
    """One number that carries over to other machines, and beside it those that do not."""

    measured: str
    value: float
    beside: str = ""
    at_least: float | None = None
    at_most: float | None = None
    digits: int = 2

    @property
    def target(self) -> str:
        bounds = [f"≥ {self.at_least:g}"] if self.at_least is not None else []
        bounds += [f"≤ {self.at_most:g}"] if self.at_most is not None else []
        return ", ".join(bounds)

    @property
    def verdict(self) -> str:
        if not self.target:
            return ""
        low = self.at_least is not None and self.value < self.at_least
        high = self.at_most is not None and self.value > self.at_most
        return "missed" if low or high else "met"

    def cells(self) -> tuple[str, ...]:
        return self.measured, f"{self.value:.{self.digits}f}", self.target, self.verdict, self.beside


@dataclass(frozen=True)
class Table:
    """Rows that were measured together."""

    title: str
    rows: Sequence[Row]

    def text(self) -> str:
        cells = [HEADINGS, *(row.cells() for row in self.rows)]
        widths = [max(len(row[column]) for row in cells) for column in range(len(HEADINGS))]
        lines = ["  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)) for row in cells]
        return "\n".join([self.title, *(f"  {line}".rstrip() for line in lines)])

    def markdown(self) -> str:
        head = [f"| {' | '.join(HEADINGS)} |", "|---|---:|---:|---|---|"]
        body = [f"| {' | '.join(row.cells())} |" for row in self.rows]
        return "\n".join([f"**{self.title}**", "", *head, *body])


def ratio(of: Sequence[float], to: Sequence[float]) -> float:
    """Return the median of the ratios of things that were measured in the same rounds."""
    return median(one / other for one, other in zip(of, to, strict=True))


def write(path: Path, part: str, tables: Sequence[Table]) -> None:
    """Put a part's tables in place of those that stand between its markers."""
    when = datetime.now(UTC).date().isoformat()
    where = f"Measured on {when}: {os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}."
    text = "\n\n".join([where, *(table.markdown() for table in tables)])
    start, end = f"<!-- {part} -->", f"<!-- end of {part} -->"
    document = path.read_text(encoding="utf-8")
    pattern = re.compile(f"{re.escape(start)}.*?{re.escape(end)}", re.DOTALL)
    replaced, count = pattern.subn(lambda _: f"{start}\n{text}\n{end}", document)
    if count != 1:
        raise SystemExit(f"{path} has no markers for the part {part}")
    path.write_text(replaced, encoding="utf-8")
