"""`trawl search`: results for people, or the tool's own object."""

import asyncio
from collections.abc import Mapping
from typing import Any, Final

import click

from app.cli.commands.report import as_json_option, fail, failures, print_json
from app.cli.commands.search_output import archive_rendered, index_rendered
from app.cli.connection import connect
from indexer.environment import read_settings
from indexer.settings import IndexerSettings
from indexer.tenancy import ARCHIVE_INDEX

_MOST_ARCHIVED: Final = 50


# a query may start with a minus sign, so what looks like an unknown option is the query
@click.command("search", context_settings={"ignore_unknown_options": True, "help_option_names": ["--help"]})
@click.argument("query")
@click.option("--index", "index_name", default=str(ARCHIVE_INDEX), show_default=True, help="The index to search.")
@click.option("--limit", "k", type=click.IntRange(1, 1000), default=10, show_default=True, help="Results at most.")
@click.option(
    "--fuzzy/--exact", default=None, help="Also match words that differ by one or two letters (in the archive: always)."
)
@click.option("--citations", is_flag=True, help="Also show who cites whom (archive only).")
@as_json_option
def command(*, query: str, index_name: str, k: int, fuzzy: bool | None, citations: bool, as_json: bool) -> None:
    """Search from the terminal: words, +must, -must-not, "a phrase", prefix*."""
    in_archive = index_name.lower() == ARCHIVE_INDEX
    if in_archive and k > _MOST_ARCHIVED:
        raise click.BadParameter(f"the archive gives at most {_MOST_ARCHIVED} at a time", param_hint="--limit")
    if citations and not in_archive:
        raise click.UsageError("--citations works with the archive only.")
    arguments: dict[str, Any] = {"query": query} | ({} if fuzzy is None else {"fuzzy": fuzzy})
    if in_archive:
        tool, arguments = "searchLocalArchives", arguments | {"limit": k, "includeCitations": citations}
    else:
        tool, arguments = "search_index", arguments | {"k": k, "index_name": index_name}
    with failures(as_json=as_json):
        result = asyncio.run(_search(tool, arguments))
        if not result["success"]:
            fail(result, as_json=as_json)
        elif as_json:
            print_json(result)
        else:
            click.echo(archive_rendered(result) if in_archive else index_rendered(result))


async def _search(tool: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    async with connect(read_settings(IndexerSettings)) as caller:
        return await caller.call(tool, arguments)
