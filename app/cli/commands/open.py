"""`trawl open`: opens the original of a document, its file or web page."""

import shutil
import subprocess
import sys
from collections.abc import Mapping
from typing import Any, Final

import click

from app.cli.commands.report import as_json_option, fail, print_json, printable, report_failures
from app.cli.connection import call_operation
from app.cli.known_folders import find_original
from indexer.data_folder import configured_data_folder
from indexer.errors import NotFound

_START_SECONDS: Final = 2.0


@click.command("open")
@click.argument("id_", metavar="ID")
@click.option("--print", "only_print", is_flag=True, help="Print the path or address instead of opening it.")
@as_json_option
def command(*, id_: str, only_print: bool, as_json: bool) -> None:
    """Open the original of a document of the archive: its file on this machine, or its web page.

    Where the system has no program that opens it, the path or address is printed.
    """
    with report_failures(as_json=as_json):
        result = call_operation("archive_get_document", {"id": id_, "max_chars": 1_000})
        if not result["success"]:
            fail(result, as_json=as_json)
        address = _address(result["document"])
    opened = not only_print and _launch(address)
    if as_json:
        print_json({"success": True, "id": id_, "address": address, "opened": opened})
    elif not opened:
        click.echo(address)


def _address(document: Mapping[str, Any]) -> str:
    """Return the document's file on this machine, else its web address."""
    original = find_original(configured_data_folder(), document["path"]) if document["source"] == "research" else None
    if original is not None:
        return str(original)
    # Other schemes could start programs: the address comes from the document.
    if (document["url"] or "").lower().startswith(("http://", "https://")):
        return printable(document["url"])
    raise NotFound(
        "The original of this document is not known on this machine",
        action="`trawl show ID` shows its text; after `trawl ingest` here, its file is found again",
    )


def _launch(address: str) -> bool:
    """Open a file or an address with the system's program; False if there is none or it fails at once."""
    program = shutil.which("open" if sys.platform == "darwin" else "xdg-open")
    if program is None:
        return False
    # What it starts may run on: it must not hold the terminal or a pipe.
    process = subprocess.Popen(  # noqa: S603 - an absolute path or a web address
        [program, address],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        return process.wait(_START_SECONDS) == 0
    except subprocess.TimeoutExpired:
        return True
