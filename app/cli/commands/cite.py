"""`trawl cite`: prints the reference to a document."""

import json

import click

from app.cli.commands.report import as_json_option, call_and_report, printable


@click.command("cite")
@click.argument("id_", metavar="ID")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["bibtex", "csl-json", "markdown"]),
    default="bibtex",
    show_default=True,
    help="Format of the reference.",
)
@as_json_option
def command(*, id_: str, format_: str, as_json: bool) -> None:
    """Print the reference to a document of the archive, for a bibliography."""
    result = call_and_report("cite", {"id": id_, "format": format_}, as_json=as_json)
    if not as_json:
        citation = result["citation"]
        text = citation if isinstance(citation, str) else json.dumps(citation, ensure_ascii=False, indent=2)
        click.echo("\n".join(printable(line) for line in text.split("\n")))
