"""`trawl doctor`: checks settings and health."""

import asyncio
from dataclasses import asdict

import click

from app.cli.checks import Check
from app.cli.commands.report import as_json_option, print_json
from app.cli.doctor import DoctorReport, run_checks


@click.command("doctor")
@as_json_option
def command(*, as_json: bool) -> None:
    """Check settings and health, and say what to fix."""
    report = asyncio.run(run_checks())
    if as_json:
        print_json({"success": report.healthy, **asdict(report)})
    else:
        click.echo(_render(report))
    raise SystemExit(0 if report.healthy else 1)


def _render(report: DoctorReport) -> str:
    width = max((len(setting.name) for setting in report.settings), default=0)
    lines = [click.style("Settings", bold=True)]
    for setting in report.settings:
        origin = "" if setting.given else click.style("  (default)", dim=True)
        lines.append(f"  {setting.name:{width}}  {setting.value or '-'}{origin}")
    lines += ["", click.style("Checks", bold=True)]
    for check in report.checks:
        lines += _lines(check)
    return "\n".join(lines)


def _lines(check: Check) -> list[str]:
    mark = click.style("ok    ", fg="green") if check.status == "ok" else click.style("broken", fg="red", bold=True)
    lines = [f"  {mark}  {check.name}: {check.detail}"]
    return [*lines, f"          {check.action}"] if check.action else lines
