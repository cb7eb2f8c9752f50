"""`trawl team`: lists the teams of this machine's service."""

from collections import Counter
from typing import Final

import click

from app.cli.commands.report import as_json_option, print_json, report_failures
from app.cli.commands.table import Column, render_table

_COLUMNS: Final = (Column("TEAM"), Column("TOKENS", right=True), Column("INDICES", right=True))


@click.group("team")
def command() -> None:
    """List the teams of this machine's service."""


@command.command("list")
@as_json_option
def list_(*, as_json: bool) -> None:
    """List the teams that have a token or an index."""
    from app.cli.token_access import local_library  # noqa: PLC0415 - imports the engine
    from mcp_server.access.token_store import TokenStore  # noqa: PLC0415 - as above

    with report_failures(as_json=as_json), local_library() as library:
        tokens = Counter(record.team for record in TokenStore(library.engine.records).all())
        indices = Counter(record.team for record in library.registry.stored())
    teams = [{"team": team, "tokens": tokens[team], "indices": indices[team]} for team in sorted({*tokens, *indices})]
    if as_json:
        print_json({"success": True, "teams": teams})
    else:
        click.echo(render_table(_COLUMNS, [[str(value) for value in team.values()] for team in teams]))
