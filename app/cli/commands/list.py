"""`trawl list`: lists the documents of the archive."""

from typing import Any, Final

import click

from app.cli.commands.report import as_json_option, call_and_report, printable
from app.cli.commands.table import Column, render_table
from app.cli.commands.units import counted

_COLUMNS: Final = (
    Column("ID"),
    Column("DATE"),
    Column("SOURCE"),
    Column("TITLE", flexible=True),
    Column("PATH", flexible=True),
)


@click.command("list")
@click.option("--source", type=click.Choice(["research", "url"]), help="Only files (research) or web pages (url).")
@click.option("--path", metavar="PREFIX", help="Only documents whose path starts so, like notes/2025.")
@click.option("--author", help="Only documents of this author.")
@click.option("--tag", help="Only documents with this tag.")
@click.option("--sort", metavar="FIELD", help="Field to sort by, like title or -date (newest first); default: path.")
@click.option(
    "--limit", type=click.IntRange(1, 200), default=50, show_default=True, help="Maximum number of documents."
)
@click.option("--cursor", help="Go on where a page ended, with the cursor that it printed.")
@as_json_option
def command(
    *,
    source: str | None,
    path: str | None,
    author: str | None,
    tag: str | None,
    sort: str | None,
    limit: int,
    cursor: str | None,
    as_json: bool,
) -> None:
    """List the documents of the archive."""
    wanted = {"source": source, "path": path and {"prefix": path}, "author": author, "tags": tag}
    filters = {name: value for name, value in wanted.items() if value is not None}
    arguments: dict[str, Any] = {"limit": limit, "cursor": cursor, "sort": [sort] if sort else None}
    result = call_and_report("archive_list", arguments | {"filters": filters or None}, as_json=as_json)
    if as_json:
        return
    documents = result["documents"]
    if documents:
        click.echo(render_table(_COLUMNS, [_row(document) for document in documents]))
    elif filters or result["total"]:
        click.echo("No documents match")
    else:
        click.echo("The archive is empty: `trawl ingest PATH` adds files, folders and web pages.", err=True)
    if result["next_cursor"] is not None:
        total = counted(result["total"], "document", "documents")
        click.echo(f"{len(documents)} of {total} shown; go on with --cursor {result['next_cursor']}", err=True)


def _row(document: dict[str, Any]) -> list[str]:
    return [printable(document[name] or "") for name in ("id", "date", "source", "title", "path")]
