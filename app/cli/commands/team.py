"""`trawl team`: lists the teams of this machine's service, and deletes one with all it has."""

import asyncio
from typing import TYPE_CHECKING, Final

import click

from app.cli.commands.report import as_json_option, print_json, report_failures
from app.cli.commands.table import Column, render_table

if TYPE_CHECKING:
    from indexer.tenancy import TeamId
    from mcp_server.teams import TeamEntry, TeamRemoved

_COLUMNS: Final = (
    Column("TEAM"),
    Column("TOKENS", right=True),
    Column("INDICES", right=True),
    Column("DOCUMENTS", right=True),
    Column("JOBS", right=True),
)


@click.group("team")
def command() -> None:
    """List the teams of this machine's service, and delete one with all it has."""


@command.command("list")
@as_json_option
def list_(*, as_json: bool) -> None:
    """List the teams that have a token, an index, a job or a section in TRAWL_CONNECTIONS."""
    with report_failures(as_json=as_json):
        teams = asyncio.run(_list())
    if as_json:
        print_json({"success": True, "teams": teams})
    else:
        click.echo(render_table(_COLUMNS, [[f"{value}" for value in team.values()] for team in teams]))


@command.command("delete")
@click.argument("team")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--cancel-jobs", is_flag=True, help="Cancel the team's jobs first; otherwise unfinished ones prevent it.")
@as_json_option
def delete(*, team: str, yes: bool, cancel_jobs: bool, as_json: bool) -> None:
    """Delete all that a team has: tokens, indices, documents, jobs, uploads and history.

    Exit code 1 if it has nothing. Its records in the audit stay.
    """
    from indexer.tenancy import team_id  # noqa: PLC0415 - slow

    with report_failures(as_json=as_json):
        checked = team_id(team)
        if not yes:
            _confirm(checked)
        result = asyncio.run(_delete(checked, cancel_jobs=cancel_jobs))
    if as_json:
        print_json(result)
    else:
        _print_removed(result)
    raise SystemExit(0 if result["status"] == "deleted" else 1)


def _confirm(team: "TeamId") -> None:
    click.echo(f"This deletes all that team {team} has, for ever.", err=True)
    if click.prompt("Type its name", err=True, default="", show_default=False) != team:
        click.echo("That is not its name. Nothing was deleted.", err=True)
        raise SystemExit(1)


def _print_removed(result: "TeamRemoved") -> None:
    removed = ", ".join(f"{name.replace('_', ' ')} {count:,}" for name, count in result["removed"].items() if count)
    if result["status"] == "deleted":
        click.echo(f"Team {result['team']} is deleted: {removed}")
    else:
        click.echo(f"There is nothing of a team {result['team']}", err=True)
    for left in result["left"]:
        click.echo(f"Still there: {left}", err=True)


async def _list() -> "list[TeamEntry]":
    from app.cli.host_access import host_services  # noqa: PLC0415 - imports the service
    from mcp_server.teams import list_teams  # noqa: PLC0415 - as above

    async with host_services() as services:
        return await list_teams(services)


async def _delete(team: "TeamId", *, cancel_jobs: bool) -> "TeamRemoved":
    from app.cli.host_access import host_services, operator  # noqa: PLC0415 - imports the service
    from mcp_server.audit.operator_audit import audited  # noqa: PLC0415 - as above
    from mcp_server.teams import remove_team  # noqa: PLC0415 - as above

    async with host_services() as services:
        with audited(services.audit.trail, "team_delete", team=team, subject=operator()) as record:
            record.object = team
            return await remove_team(services, team, cancel_jobs=cancel_jobs)
