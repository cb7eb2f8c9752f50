"""`trawl indices`: lists the indices."""

from typing import Final

import click

from app.cli.commands.report import as_json_option, call_and_report
from app.cli.commands.table import Column, render_table
from app.cli.commands.units import human_size, local_time

_COLUMNS: Final = (
    Column("INDEX"),
    Column("DOCUMENTS", right=True),
    Column("SIZE", right=True),
    Column("CREATED"),
    Column("STATE"),
)
_NOT_YET: Final = "1970-"
"""The year of creation of the default index before its first document."""


@click.command("indices")
@as_json_option
def command(*, as_json: bool) -> None:
    """List the indices with their sizes. The archive is not among them: see `trawl list` and `trawl status`."""
    result = call_and_report("search_list_indices", {}, as_json=as_json)
    if as_json:
        return
    rows = [
        [
            entry["index_name"],
            f"{entry['documents']:,}",
            human_size(entry["size_bytes"]),
            "" if entry["created_at"].startswith(_NOT_YET) else local_time(entry["created_at"]),
            "outdated" if entry["outdated"] else "ok",
        ]
        for entry in result["indices"]
    ]
    click.echo(render_table(_COLUMNS, rows))
    if outdated := [entry["index_name"] for entry in result["indices"] if entry["outdated"]]:
        click.echo(f"Rebuild outdated indices while they stay in use: trawl reindex {outdated[0]}", err=True)
