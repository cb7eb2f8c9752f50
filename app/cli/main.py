"""The command line. Each command is imported when it is called, so that help and usage errors come at once."""

from importlib import import_module
from typing import Final

import click

COMMANDS: Final = {
    "serve": "Start the service: HTTP, MCP and the page",
    "mcp": "Speak MCP on standard input and output",
    "worker": "Do the jobs: ingest documents, rebuild indices",
    "ingest": "Put files, folders or pages into the archive",
    "search": "Search from the terminal",
    "reindex": "Build an index anew while it serves",
    "jobs": "List, show, cancel and retry background jobs",
    "doctor": "Show what is configured, what answers, and what to do",
}


class _Commands(click.Group):
    """Finds `trawl NAME` in `app.cli.commands.NAME`."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"app.cli.commands.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="trawl", prog_name="trawl")
def main() -> None:
    """Search service for a team and its agents."""
