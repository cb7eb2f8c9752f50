"""The `trawl` command. Subcommands are imported when they are called, so that help and usage errors are fast."""

from importlib import import_module
from typing import Final

import click

COMMANDS: Final = {
    "serve": "Start the service: HTTP, MCP and the web page",
    "mcp": "Serve MCP over standard input and output",
    "worker": "Run background jobs: ingestion and re-indexing",
    "ingest": "Add files, folders or web pages to the archive",
    "search": "Search the archive or an index",
    "reindex": "Rebuild an index while it stays in use",
    "jobs": "List, show, cancel and retry background jobs",
    "sandbox": "Serve sample data as OSDU or Quilt do, to try them",
    "doctor": "Check settings and health, and say what to fix",
}


class _Commands(click.Group):
    """Loads `trawl NAME` from `app.cli.commands.NAME`."""

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
