"""The `trawl` command. Subcommands are imported when they are called, so that help and usage errors are fast."""

import os
from importlib import import_module
from typing import Final

import click

COMMANDS: Final = {
    "serve": "Start the service: HTTP, MCP and the web page",
    "mcp": "Serve MCP over standard input and output",
    "worker": "Run background jobs: ingestion and re-indexing",
    "ingest": "Add files, folders or web pages to the archive",
    "search": "Search the archive or an index",
    "show": "Show the text of a document",
    "open": "Open the original of a document: its file or web page",
    "cite": "Print the reference to a document, for a bibliography",
    "list": "List the documents of the archive",
    "rm": "Delete documents from the archive or an index",
    "indices": "List the indices with their sizes",
    "reindex": "Rebuild an index while it stays in use",
    "jobs": "List, show, cancel and retry background jobs",
    "status": "Show the engine, documents, queue, sources and jobs",
    "login": "Sign in to a service on another machine",
    "logout": "Sign out, and use this machine's service again",
    "token": "Create, list and revoke tokens",
    "team": "List teams, and delete one with all it has",
    "audit": "List, export and verify who did what",
    "subject": "Export, erase or lock out one person or token",
    "connect": "Print how to connect an MCP client to this service",
    "sandbox": "Serve sample data as OSDU or Quilt do, to try them",
    "doctor": "Check settings and health, and say what to fix",
    "completion": "Print the script that completes commands in a shell",
}
_UMASK: Final = 0o077


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
@click.pass_context
def main(context: click.Context) -> None:
    """Search service for a team and its agents."""
    # Children inherit it: nobody else on this machine may read what any of our processes writes.
    os.umask(_UMASK)
    if os.environ.get("NO_COLOR"):
        context.color = False
