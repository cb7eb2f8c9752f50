"""`trawl subject`: exports or erases what is stored of one subject, and locks subjects of the issuer out."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from app.cli.commands.export_output import export_file, output_option, write_json_lines
from app.cli.commands.report import as_json_option, print_json, printable, report_failures
from app.cli.commands.table import Column, render_table
from app.cli.commands.units import counted, local_time

if TYPE_CHECKING:
    from app.cli.host_subjects import Denied

_COLUMNS: Final = (Column("SUBJECT"), Column("UNTIL"), Column("SINCE"), Column("BY"), Column("ISSUER", flexible=True))
_team_option = click.option("--team", help="Only what this team has of it; by default, all teams.")


@click.group("subject")
def command() -> None:
    """Export, erase or lock out one subject: a person, a token (token:NAME) or a user of this machine (local:NAME)."""


@command.command("export")
@click.argument("subject")
@_team_option
@output_option
def export(*, subject: str, team: str | None, output: Path | None) -> None:
    """Export all that is stored of a subject, as JSON objects, one per line."""
    from app.cli.host_subjects import subject_data  # noqa: PLC0415 - imports the service

    with report_failures(), subject_data(team) as data, export_file(output) as file:
        count = write_json_lines(file, data.export(subject))
    if output is not None:
        click.echo(f"{counted(count, 'item', 'items')} exported", err=True)


@command.command("erase")
@click.argument("subject")
@_team_option
@as_json_option
def erase(*, subject: str, team: str | None, as_json: bool) -> None:
    """Revoke a subject's own tokens, and put a pseudonym in its place everywhere else, also in the audit."""
    from app.cli.host_subjects import erase_subject  # noqa: PLC0415 - imports the service

    with report_failures(as_json=as_json):
        erased = erase_subject(subject, team)
    if as_json:
        print_json(erased)
        return
    parts = (
        f"{counted(erased['revoked_tokens'], 'token', 'tokens')} revoked",
        f"its name replaced in {counted(erased['created_tokens'], 'token', 'tokens')} that it created",
        f"{counted(erased['sessions'], 'session', 'sessions')} ended",
        counted(erased["jobs"], "job", "jobs"),
        counted(erased["audit_records"], "audit record", "audit records"),
    )
    click.echo(f"Erased: {', '.join(parts)}; the pseudonym is {erased['pseudonym']}")


@command.command("deny")
@click.argument("subject")
@click.option(
    "--for",
    "duration",
    default="24h",
    show_default=True,
    help="How long, like 12h or 7d: at least as long as a token of the issuer lives.",
)
@as_json_option
def deny(*, subject: str, duration: str, as_json: bool) -> None:
    """Refuse a subject of TRAWL_OIDC_ISSUER although its tokens are valid, in every process within a second."""
    from app.cli.host_subjects import deny_subject  # noqa: PLC0415 - imports the service

    with report_failures(as_json=as_json):
        denied = deny_subject(subject, duration)
    if as_json:
        print_json({"success": True, "status": "denied", **denied})
    else:
        count = denied["revoked_tokens"]
        revoked = f"; {counted(count, 'token', 'tokens')} that it made for itself revoked" if count else ""
        click.echo(f"{printable(subject)} is refused until {local_time(denied['until'])}{revoked}")


@command.command("allow")
@click.argument("subject")
@as_json_option
def allow(*, subject: str, as_json: bool) -> None:
    """Accept the tokens of a denied subject again. Exit code 1 if it was not denied."""
    from app.cli.host_subjects import allow_subject  # noqa: PLC0415 - imports the service

    with report_failures(as_json=as_json):
        was_denied = allow_subject(subject)
    if as_json:
        print_json({"success": True, "status": "allowed" if was_denied else "absent", "subject": subject})
    elif was_denied:
        click.echo(f"{printable(subject)} is accepted again")
    else:
        click.echo(f"{printable(subject)} was not denied", err=True)
    raise SystemExit(0 if was_denied else 1)


@command.command("denied")
@as_json_option
def denied(*, as_json: bool) -> None:
    """List the subjects that are refused now."""
    from app.cli.host_subjects import denied_subjects  # noqa: PLC0415 - imports the service

    with report_failures(as_json=as_json):
        listed = denied_subjects()
    if as_json:
        print_json({"success": True, "denied": listed})
    elif listed:
        click.echo(render_table(_COLUMNS, [_row(each) for each in listed]))
    else:
        click.echo("No subject is denied")


def _row(denied: "Denied") -> list[str]:
    until, since = local_time(denied["until"]), local_time(denied["denied_at"])
    return [printable(cell) for cell in (denied["subject"], until, since, denied["denied_by"], denied["issuer"])]
