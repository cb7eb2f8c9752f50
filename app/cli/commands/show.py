"""`trawl show`: shows the text of a document."""

import shutil
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import click

from app.cli.commands.index_option import index_option, is_archive
from app.cli.commands.report import as_json_option, call_and_report, printable
from app.cli.commands.search_output import render_metadata


@click.command("show")
@click.argument("id_", metavar="ID")
@index_option("Index of the document.")
@click.option("--offset", type=click.IntRange(0), default=0, show_default=True, help="Character to start at.")
@click.option("--max-chars", type=click.IntRange(1_000, 1_000_000), help="Maximum number of characters; default: all.")
@as_json_option
def command(*, id_: str, index_name: str, offset: int, max_chars: int | None, as_json: bool) -> None:
    """Show what is known about a document, and its text. A terminal shows a long text page by page."""
    part = {"offset": offset, "max_chars": max_chars}
    if is_archive(index_name):
        result = call_and_report("archive_get_document", {"id": id_, **part}, as_json=as_json)
        head = _archive_head
    else:
        arguments = {"doc_id": id_, "index_name": index_name, **part}
        result = call_and_report("search_get_document", arguments, as_json=as_json)
        head = _index_head
    if not as_json:
        _print("\n".join([*head(result), "", *_content_lines(result["content"])]), _place(result, offset))


def _archive_head(result: Mapping[str, Any]) -> Iterator[str]:
    document = result["document"]
    yield click.style(printable(document["title"] or document["path"]), bold=True)
    fields = [document[name] for name in ("path", "date", "source", "id") if document[name]]
    yield click.style(printable(" · ".join(fields)), dim=True)
    yield from (
        click.style(printable(f"{name}: {value}"), dim=True)
        for name, value in (
            ("authors", ", ".join(document["authors"])),
            ("tags", ", ".join(document["tags"])),
            ("url", document["url"]),
            ("doi", document["doi"]),
        )
        if value
    )


def _index_head(result: Mapping[str, Any]) -> Iterator[str]:
    yield click.style(printable(result["doc_id"]), bold=True)
    if metadata := render_metadata(result["metadata"]):
        yield click.style(metadata, dim=True)


def _content_lines(content: str) -> list[str]:
    return [printable(line.expandtabs()) for line in content.split("\n")]


def _place(result: Mapping[str, Any], offset: int) -> str | None:
    """Say which part is shown, unless it is the whole text."""
    shown, total, following = len(result["content"]), result["total_chars"], result["next_offset"]
    if shown == total:
        return None
    more = "" if following is None else f"; go on with --offset {following}"
    return f"Characters {min(offset, total):,} to {offset + shown:,} of {total:,}{more}."


def _print(text: str, place: str | None) -> None:
    if sys.stdout.isatty() and text.count("\n") >= shutil.get_terminal_size().lines:
        click.echo_via_pager(text, color=click.get_current_context().color)
    else:
        click.echo(text)
    if place:
        click.echo(place, err=True)
