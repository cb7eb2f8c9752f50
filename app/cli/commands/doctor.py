"""`trawl doctor`: what is configured, what answers, and what to do."""

import asyncio
from dataclasses import asdict

import click

from app.cli.checks import Check
from app.cli.commands.report import as_json_option, print_json
from app.cli.doctor import Examination, examine


@click.command("doctor")
@as_json_option
def command(*, as_json: bool) -> None:
    """Show what is configured, what answers, and what to do."""
    found = asyncio.run(examine())
    if as_json:
        print_json({"success": found.healthy, **asdict(found)})
    else:
        click.echo(_rendered(found))
    raise SystemExit(0 if found.healthy else 1)


def _rendered(found: Examination) -> str:
    width = max((len(setting.name) for setting in found.settings), default=0)
    lines = [click.style("Settings", bold=True)]
    for setting in found.settings:
        origin = "" if setting.given else click.style("  (default)", dim=True)
        lines.append(f"  {setting.name:{width}}  {setting.value or '-'}{origin}")
    lines += ["", click.style("Checks", bold=True)]
    for check in found.checks:
        lines += _lines(check)
    return "\n".join(lines)


def _lines(check: Check) -> list[str]:
    mark = click.style("ok    ", fg="green") if check.status == "ok" else click.style("broken", fg="red", bold=True)
    lines = [f"  {mark}  {check.name}: {check.detail}"]
    return [*lines, f"          {check.action}"] if check.action else lines
