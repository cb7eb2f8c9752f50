"""The page docs/seeds.md: each requirement of the five documents with its test, or with the reason for a deviation."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import NamedTuple

from tests.markdown import table
from tests.seeds.requirements import Deviation

HERE = Path(__file__).parent
HEAD = """# The seeds

Written by `make docs` from the tests in `tests/seeds`. Trawl was asked for by five documents, the seeds. This page
lists what each of them requires, by its lines, and the test that holds Trawl to it. Where Trawl does otherwise, the
page says why.
"""


class Requirement(NamedTuple):
    """A requirement and where it is tested."""

    lines: str
    requirement: str
    test: str


def seeds_page() -> str:
    """Return the page's text."""
    modules = [import_module(f"tests.seeds.{path.stem}") for path in sorted(HERE.glob("test_seed_*.py"))]
    return "\n".join([HEAD, *(_section(module) for module in modules)])


def _section(module: ModuleType) -> str:
    requirements = sorted(set(requirements_of(module)), key=lambda row: (_first_line(row.lines), row))
    deviations: list[Deviation] = module.DEVIATIONS
    file = f"tests/seeds/{module.__name__.rpartition('.')[2]}.py"
    parts = [
        f"## {module.TITLE}\n",
        f"{len(requirements)} requirements, tested in `{file}`.\n",
        table(
            ("lines", "requirement", "test"), [(row.lines, row.requirement, f"`{row.test}`") for row in requirements]
        ),
    ]
    if deviations:
        rows = sorted(
            ((row.lines, row.requirement, row.reason) for row in deviations), key=lambda row: _first_line(row[0])
        )
        parts += [f"Deviations: {len(deviations)}.\n", table(("lines", "requirement", "instead, and why"), rows)]
    return "\n".join(parts)


def requirements_of(module: ModuleType) -> Iterator[Requirement]:
    """Yield what the marks of a file's tests say, those of single parameters included."""
    for name, function in vars(module).items():
        if not name.startswith("test_") or not isinstance(function, FunctionType):
            continue
        for mark in getattr(function, "pytestmark", ()):
            if mark.name == "seed":
                yield Requirement(*mark.args, name)
            elif mark.name == "parametrize":
                for value in mark.args[1]:
                    for inner in getattr(value, "marks", ()):
                        if inner.name == "seed":
                            yield Requirement(*inner.args, name)


def _first_line(lines: str) -> int:
    return int(lines.replace(",", "-").partition("-")[0])
