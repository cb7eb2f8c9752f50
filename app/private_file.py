"""Files that only their owner may read."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO


def write_private(path: Path, text: str) -> None:
    """Write a file with mode 0600, in one step for those who read it."""
    with private_file(path) as file:
        file.write(text)


@contextmanager
def private_file(path: Path) -> Iterator[TextIO]:
    """Open a file with mode 0600 to write it piece by piece; it is there when the block has ended without an error."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            yield file
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
