"""The option `--index`: the archive by default; a shell completes the names of the service's indices."""

from collections.abc import Callable
from typing import TypeVar

import click
from click.shell_completion import CompletionItem

from indexer.tenancy import ARCHIVE_INDEX

ARCHIVE = str(ARCHIVE_INDEX)
_Function = TypeVar("_Function", bound=Callable[..., object])


def index_option(description: str) -> Callable[[_Function], _Function]:
    """Return the option with this description."""
    return click.option(
        "--index",
        "index_name",
        default=ARCHIVE,
        show_default=True,
        help=description,
        metavar="NAME",
        shell_complete=complete_index,
    )


def is_archive(index_name: str) -> bool:
    """Say whether this is the name of the archive."""
    return index_name.lower() == ARCHIVE


def complete_index(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Suggest the archive and the indices of the service; without one, only the archive."""
    from app.cli.service_client import find_client  # noqa: PLC0415 - only for completion
    from indexer.data_folder import configured_data_folder  # noqa: PLC0415 - as above

    client = find_client(configured_data_folder())
    names = [ARCHIVE]
    if client is not None:
        names += [entry["index_name"] for entry in client.call("search_list_indices", {}).get("indices", ())]
        client.close()
    return [CompletionItem(name) for name in names if name.startswith(incomplete.lower())]
