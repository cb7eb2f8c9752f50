"""`trawl rm`: deletes documents from the archive or an index."""

from collections.abc import Mapping
from typing import Any

import click

from app.cli.commands.index_option import index_option, is_archive
from app.cli.commands.report import as_json_option, fail, print_json, printable, report_failures
from app.cli.commands.units import counted
from app.cli.connection import call_operations


@click.command("rm")
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@index_option("Index of the documents.")
@as_json_option
def command(*, ids: tuple[str, ...], index_name: str, as_json: bool) -> None:
    """Delete documents; the files and web pages that they come from stay. Exit code 1 if one does not exist."""
    wanted = list(dict.fromkeys(ids))
    with report_failures(as_json=as_json):
        if is_archive(index_name):
            results = call_operations(("archive_delete", {"id": id_}) for id_ in wanted)
        else:
            results = call_operations(
                ("search_delete_document", {"doc_id": id_, "index_name": index_name}) for id_ in wanted
            )
    for result in results:
        if not result["success"]:
            fail(result, as_json=as_json)
    absent = [id_ for id_, result in zip(wanted, results, strict=True) if not _is_deleted(result)]
    if as_json:
        for result in _merged(results):
            print_json(result)
    else:
        click.echo(f"{counted(len(wanted) - len(absent), 'document', 'documents')} deleted")
    for id_ in absent:
        click.echo(f"There is no document {printable(id_)}", err=True)
    raise SystemExit(1 if absent else 0)


def _is_deleted(result: Mapping[str, Any]) -> bool:
    return bool(result["deleted"]) if "deleted" in result else result["status"] == "deleted"


def _merged(results: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return one result for the archive, whose operation takes several ids, and one per document for an index."""
    if "deleted" not in results[0]:
        return results
    return [{"success": True, "deleted": sum(result["deleted"] for result in results)}]
