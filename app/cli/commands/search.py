"""`trawl search`: searches the archive or an index."""

from typing import Any, Final

import click

from app.cli.commands.report import as_json_option, fail, print_json, report_failures
from app.cli.commands.search_output import render_archive_results, render_index_results
from app.cli.connection import call_operation
from indexer.tenancy import ARCHIVE_INDEX

_MAX_ARCHIVE_RESULTS: Final = 50


# A query may start with a minus sign, so an unknown option is taken as the query.
@click.command("search", context_settings={"ignore_unknown_options": True, "help_option_names": ["--help"]})
@click.argument("query")
@click.option("--index", "index_name", default=str(ARCHIVE_INDEX), show_default=True, help="Index to search.")
@click.option(
    "--limit", "k", type=click.IntRange(1, 1000), default=10, show_default=True, help="Maximum number of results."
)
@click.option(
    "--fuzzy/--exact",
    default=None,
    help="Also match words that differ by one or two letters (default in the archive).",
)
@click.option("--citations", is_flag=True, help="Also show citations (archive only).")
@as_json_option
def command(*, query: str, index_name: str, k: int, fuzzy: bool | None, citations: bool, as_json: bool) -> None:
    """Search the archive or an index. A query has words, +required, -excluded, "a phrase", prefix*."""
    in_archive = index_name.lower() == ARCHIVE_INDEX
    if in_archive and k > _MAX_ARCHIVE_RESULTS:
        raise click.BadParameter(f"the archive gives at most {_MAX_ARCHIVE_RESULTS} at a time", param_hint="--limit")
    if citations and not in_archive:
        raise click.UsageError("--citations works with the archive only.")
    arguments: dict[str, Any] = {"query": query} | ({} if fuzzy is None else {"fuzzy": fuzzy})
    if in_archive:
        operation, arguments = "searchLocalArchives", arguments | {"limit": k, "includeCitations": citations}
    else:
        operation, arguments = "search_index", arguments | {"k": k, "index_name": index_name}
    with report_failures(as_json=as_json):
        result = call_operation(operation, arguments)
        if not result["success"]:
            fail(result, as_json=as_json)
        elif as_json:
            print_json(result)
        else:
            click.echo(render_archive_results(result) if in_archive else render_index_results(result))
