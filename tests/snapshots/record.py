"""`make snapshots`: records what users see of the service; a test compares it, so that no change goes unnoticed."""

import asyncio
import json
import re
from pathlib import Path

from tests.snapshots.commands import helps
from tests.snapshots.failure_texts import failure_texts
from tests.snapshots.interfaces import interfaces

FOLDER = Path(__file__).parent / "recorded"
CHANGING = re.compile(r'((?:took_ms\\*": ?)|\bj_)[0-9a-f]+\b')
"""Times, and ids of jobs."""


def snapshots() -> dict[str, str]:
    """Return each snapshot's text by its file's name; docs/tools.md is compared where it stands."""
    seen = {name: as_text(value) for name, value in asyncio.run(interfaces()).items()}
    return seen | {"failure_texts.txt": failure_texts(), "help.txt": helps()}


def as_text(value: object) -> str:
    return CHANGING.sub(r"\g<1>0", json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False)) + "\n"


if __name__ == "__main__":
    for name, text in snapshots().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
        print(f"recorded {name}")
