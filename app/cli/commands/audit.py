"""`trawl audit`: lists, exports and verifies the audit trail, on the machine of the service itself."""

from collections.abc import Callable, Mapping
from functools import reduce
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from app.cli.commands.audit_output import WRITERS, damage_lines, render_records, summary
from app.cli.commands.export_output import export_file, output_option
from app.cli.commands.report import as_json_option, print_json, report_failures
from app.cli.commands.units import counted

_Function = TypeVar("_Function", bound=Callable[..., object])
_FILTERS: Final = (
    click.option("--team", help="Only calls of this team."),
    click.option("--since", metavar="TIME", help="Only calls from then on, like 2026-07-01 or 2026-07-01T12:00:00Z."),
    click.option("--until", metavar="TIME", help="Only calls until then; a day counts to its end."),
    click.option("--subject", help="Only calls of this subject, like token:laptop."),
    click.option("--operation", help="Only calls of this operation, like search_index."),
    click.option("--outcome", help="Only calls that ended so: ok, or the category of a failure."),
)


def _filter_options(function: _Function) -> _Function:
    return reduce(lambda decorated, option: option(decorated), reversed(_FILTERS), function)


@click.group("audit")
def command() -> None:
    """List, export and verify who did what, in all teams."""


@command.command("list")
@_filter_options
@click.option("--limit", type=click.IntRange(1, 1_000), default=50, show_default=True, help="Maximum number of calls.")
@click.option("--cursor", help="Go on where a page ended, with the cursor that it printed.")
@as_json_option
def list_(*, team: str | None, as_json: bool, **arguments: Any) -> None:
    """List the newest calls, with who called, what it concerned and how it ended. Times are in UTC."""
    from app.cli.host_access import checked, host_library  # noqa: PLC0415 - imports the service
    from indexer.tenancy import team_id  # noqa: PLC0415 - as above
    from mcp_server.features.account.arguments import ListAudit  # noqa: PLC0415 - as above
    from mcp_server.features.account.audit import audit_page  # noqa: PLC0415 - as above

    with report_failures(as_json=as_json):
        wanted = checked(ListAudit, **arguments)
        of_team = None if team is None else team_id(team)
        with host_library() as library:
            page = audit_page(library, of_team, wanted)
    if as_json:
        print_json(page)
        return
    click.echo(render_records(page["records"]) if page["records"] else "No calls match")
    if page["next_cursor"] is not None:
        click.echo(f"There are more; go on with --cursor {page['next_cursor']}", err=True)


@command.command("export")
@_filter_options
@click.option(
    "--format",
    "format_",
    type=click.Choice(list(WRITERS)),
    default="jsonl",
    show_default=True,
    help="JSON objects, one per line, or comma-separated values.",
)
@output_option
def export(*, team: str | None, format_: str, output: Path | None, **arguments: Any) -> None:
    """Export all calls that match, oldest first."""
    from app.cli.host_access import checked, host_library  # noqa: PLC0415 - imports the service
    from indexer.audit.reading import read_all  # noqa: PLC0415 - as above
    from indexer.tenancy import team_id  # noqa: PLC0415 - as above
    from mcp_server.features.account.arguments import ListAudit  # noqa: PLC0415 - as above
    from mcp_server.features.account.audit import audit_filter  # noqa: PLC0415 - as above

    with report_failures():
        wanted = audit_filter(None if team is None else team_id(team), checked(ListAudit, **arguments))
        with host_library() as library, export_file(output) as file:
            count = WRITERS[format_](file, read_all(library.engine.audit, wanted))
    if output is not None:
        click.echo(f"{counted(count, 'call', 'calls')} exported", err=True)


@command.command("verify")
@as_json_option
def verify(*, as_json: bool) -> None:
    """Verify that no record was changed, removed or added. Exit code 1 if one was."""
    from dataclasses import asdict  # noqa: PLC0415 - as below

    from app.cli.host_access import host_keys, host_library  # noqa: PLC0415 - imports the service
    from indexer.audit.verify import verify as verify_trail  # noqa: PLC0415 - as above

    with report_failures(as_json=as_json), host_library() as library:
        found = verify_trail(library.engine.audit, library.engine.records, host_keys())
    result: Mapping[str, Any] = {"success": not found.damage, **asdict(found)}
    if as_json:
        print_json(result)
    else:
        click.echo(summary(result))
        for line in damage_lines(result["damage"]):
            click.echo(line, err=True)
    raise SystemExit(1 if found.damage else 0)
