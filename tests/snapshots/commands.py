"""What each command says about itself."""

from collections.abc import Iterator

import click
from click.testing import CliRunner

from app.cli.main import main


def helps() -> str:
    """Return the help of every command, those within groups included."""
    return "\n".join(_help(path) for path in ((), *command_paths()))


def command_paths() -> Iterator[tuple[str, ...]]:
    """Return the words that lead to each command."""
    for path, _ in commands():
        yield path


def commands(group: click.Group = main, above: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Return each command with the words that lead to it, a group before its commands."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield (*above, name), command
        if isinstance(command, click.Group):
            yield from commands(command, (*above, name))


def _help(path: tuple[str, ...]) -> str:
    told = CliRunner().invoke(main, [*path, "--help"], prog_name="trawl", terminal_width=100)
    assert told.exit_code == 0, told.output
    return f"$ trawl {' '.join((*path, '--help'))}\n{told.output}"
