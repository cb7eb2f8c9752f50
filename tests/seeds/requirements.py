"""What the five documents ask for: marks that tie a test to its lines, and the reasons where Trawl does otherwise."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest


@dataclass(frozen=True, slots=True)
class Deviation:
    """A requirement that is met in another way, or not at all, and why."""

    lines: str
    requirement: str
    reason: str


def seed(lines: str, requirement: str) -> pytest.MarkDecorator:
    """Mark a test, or one parameter of it, with the lines of the document that it holds Trawl to."""
    return pytest.mark.seed(lines, requirement)


def rows(table: Sequence[Sequence[Any]]) -> list[Any]:
    """Turn rows that begin with lines and requirement into the parameters of a test."""
    return [pytest.param(*values, marks=seed(lines, requirement)) for lines, requirement, *values in table]
