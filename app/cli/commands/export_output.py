"""Where an export goes: to standard output, or to a file that only its owner may read."""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import click

from app.private_file import private_file
from indexer.errors import Invalid

output_option = click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File to write to, for its owner alone; by default standard output.",
)


@contextmanager
def export_file(path: Path | None) -> Iterator[TextIO]:
    """Open the place of an export. A file is there when all of it is written."""
    if path is None:
        yield sys.stdout
        return
    try:
        with private_file(path) as file:
            yield file
    except OSError:
        raise Invalid("The file cannot be written", action="Give --output a file in a folder of yours") from None


def write_json_lines(file: TextIO, items: Iterable[Mapping[str, Any]]) -> int:
    """Write an object per line, and return how many there were."""
    count = 0
    for count, item in enumerate(items, 1):  # noqa: B007 - the last number is the result
        file.write(json.dumps(item, ensure_ascii=False, separators=(",", ":")) + "\n")
    return count
