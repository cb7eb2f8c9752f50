"""`trawl search`: searches the archive or an index."""

from typing import Any, Final

import click

from app.cli.commands.index_option import ARCHIVE, index_option, is_archive
from app.cli.commands.report import as_json_option, call_and_report
from app.cli.commands.search_hints import nothing_found_hints
from app.cli.commands.search_output import render_archive_results, render_index_results

_MAX_ARCHIVE_RESULTS: Final = 50
_HELP_OPTION: Final = "-h"


class _SearchCommand(click.Command):
    """Takes words that start with one minus sign as exclusions, not as options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        end = args.index("--") if "--" in args else len(args)
        # A space before the sign hides it from the parser, and means nothing in a query.
        words = [f" {argument}" if _is_exclusion(argument) else argument for argument in args[:end]]
        return super().parse_args(ctx, words + args[end:])


def _is_exclusion(argument: str) -> bool:
    return argument.startswith("-") and not argument.startswith("--") and argument not in {"-", _HELP_OPTION}


@click.command("search", cls=_SearchCommand)
@click.argument("words", metavar="WORDS...", nargs=-1, required=True)
@index_option("Index to search.")
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
def command(
    *, words: tuple[str, ...], index_name: str, k: int, fuzzy: bool | None, citations: bool, as_json: bool
) -> None:
    """Search the archive or an index.

    A query has words, +required and -excluded ones, "a phrase" and prefix*. The shell removes the quotes of a phrase
    unless they are quoted themselves: trawl search '"otter boards"'. After -- nothing is an option.
    """
    in_archive = is_archive(index_name)
    if in_archive and k > _MAX_ARCHIVE_RESULTS:
        raise click.BadParameter(f"the archive gives at most {_MAX_ARCHIVE_RESULTS} at a time", param_hint="--limit")
    if citations and not in_archive:
        raise click.UsageError(f"--citations works with the index {ARCHIVE} only.")
    query = " ".join(word.strip() for word in words)
    arguments: dict[str, Any] = {"query": query} | ({} if fuzzy is None else {"fuzzy": fuzzy})
    if in_archive:
        operation, arguments = "searchLocalArchives", arguments | {"limit": k, "includeCitations": citations}
    else:
        operation, arguments = "search_index", arguments | {"k": k, "index_name": index_name}
    result = call_and_report(operation, arguments, as_json=as_json)
    if not as_json:
        click.echo(render_archive_results(result) if in_archive else render_index_results(result))
        if not result["results"]:
            for hint in nothing_found_hints(index_name):
                click.echo(hint, err=True)
