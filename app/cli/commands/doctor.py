"""`trawl doctor`: checks settings and health."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import asdict

import click

from app.cli.checks import Check
from app.cli.commands.report import as_json_option, print_json, report_failures
from app.cli.data_folder import find_data_folder
from app.cli.doctor import run_checks
from app.settings_table import Setting


@click.command("doctor")
@click.option("--settings", "with_settings", is_flag=True, help="Also show all settings, with secrets masked.")
@as_json_option
def command(*, with_settings: bool, as_json: bool) -> None:
    """Check settings and health, and say what to fix."""
    with report_failures(as_json=as_json):
        find_data_folder()
        report = asyncio.run(run_checks())
    if as_json:
        print_json({"success": report.healthy, **asdict(report)})
    else:
        for check in report.checks:
            click.echo(_check_line(check))
        if with_settings:
            click.echo("\n".join(["", *_setting_lines(report.settings)]))
    raise SystemExit(0 if report.healthy else 1)


def _check_line(check: Check) -> str:
    mark = click.style("ok    ", fg="green") if check.status == "ok" else click.style("broken", fg="red", bold=True)
    action = f". {check.action}." if check.action else ""
    return f"{mark}  {check.name}: {check.detail}{action}"


def _setting_lines(settings: Sequence[Setting]) -> Iterator[str]:
    width = max((len(setting.name) for setting in settings), default=0)
    for setting in settings:
        origin = "" if setting.given else click.style("  (default)", dim=True)
        yield f"{setting.name:{width}}  {setting.value or '-'}{origin}"
