"""The folders that `trawl ingest` has read on this machine, so that `trawl open` finds the original of a document.

The archive itself knows only the name of a folder, never its absolute path.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from indexer.data_folder import open_data_folder, writing_data

_FILE: Final = "folders.jsonl"


def remember_folder(data_folder: Path, folder: Path) -> None:
    """Note an absolute folder, as the last one of its name that was read."""
    same_name = [known for known in _known_folders(data_folder) if known.name == folder.name]
    if same_name[-1:] != [folder]:
        # Where commands use a service elsewhere, this machine may have no data folder yet.
        open_data_folder(data_folder)
        with writing_data(), (data_folder / _FILE).open("a", encoding="utf-8") as file:
            file.write(json.dumps(str(folder)) + "\n")


def find_original(data_folder: Path, path: str) -> Path | None:
    """Return the file of a document by its path in the archive; of folders with the same name, the last one counts."""
    root_name, _, below = path.partition("/")
    for folder in reversed(list(_known_folders(data_folder))):
        file = folder / below
        if folder.name == root_name and file.is_file() and file.resolve().is_relative_to(folder.resolve()):
            return file
    return None


def _known_folders(data_folder: Path) -> Iterator[Path]:
    try:
        lines = (data_folder / _FILE).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return
    for line in lines:
        yield Path(json.loads(line))
