"""Opens the tokens of this machine's service directly: who can read its data or its settings needs no token."""

from collections.abc import Iterator
from contextlib import contextmanager

from app.cli.data_folder import prepare_data_folder
from indexer.bootstrap import open_library
from indexer.environment import read_settings
from indexer.library import Library
from indexer.settings import IndexerSettings


@contextmanager
def local_library() -> Iterator[Library]:
    """Open the records, also while a service runs on them."""
    settings = read_settings(IndexerSettings)
    if settings.chosen_engine == "tantivy":
        prepare_data_folder()
    library = open_library(settings)
    try:
        yield library
    finally:
        library.close()
