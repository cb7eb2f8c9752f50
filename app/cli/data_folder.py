"""The data folder of a command, with a notice where an earlier version left it in the current directory."""

from pathlib import Path

import click

from indexer.data_folder import (
    configured_data_folder,
    earlier_data_folder_in_use,
    open_data_folder,
    user_data_folder,
)


def find_data_folder() -> Path:
    """Return the data folder, which may not exist."""
    earlier = earlier_data_folder_in_use()
    if earlier is not None:
        click.echo(
            f"Using {earlier}, which an earlier version left here. To use it from everywhere, stop the service and "
            f"move the folder to {user_data_folder()}, or set TRAWL_DATA_DIR.",
            err=True,
        )
    return earlier or configured_data_folder()


def prepare_data_folder() -> Path:
    """Return the data folder; create it if it is missing, and let only this user read it."""
    folder = find_data_folder()
    if open_data_folder(folder):
        click.echo(f"Other users of this machine could read {folder}; now only its owner can.", err=True)
    return folder
