"""What each command says about itself."""

from collections.abc import Iterator

import click
from click.testing import CliRunner

from app.cli.main import main


def helps() -> str:
    """Return the help of every command, those within groups included."""
    return "\n".join(_helps(main, ()))


def _helps(command: click.Command, path: tuple[str, ...]) -> Iterator[str]:
    told = CliRunner().invoke(main, [*path, "--help"], prog_name="trawl", terminal_width=100)
    assert told.exit_code == 0, told.output
    yield f"$ trawl {' '.join((*path, '--help'))}\n{told.output}"
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from _helps(inner, (*path, name))
