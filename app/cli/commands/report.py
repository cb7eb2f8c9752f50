"""Output shared by commands: results as JSON with --json, failures as text, exit code 1 on a failure."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NoReturn

import click

from app.cli.connection import call_operation
from indexer.errors import PlatformError

as_json_option = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")


def print_json(result: Mapping[str, Any]) -> None:
    """Print a result as one line of JSON."""
    click.echo(json.dumps(result, ensure_ascii=False, separators=(",", ":")))


def print_failure(failure: Mapping[str, Any], *, as_json: bool) -> None:
    """Print a failure: as JSON, or as text on standard error."""
    if as_json:
        print_json(failure)
    else:
        click.echo(f"{printable(failure['error'])}\n{printable(failure['fix']['required_action'])}.", err=True)


def fail(failure: Mapping[str, Any], *, as_json: bool) -> NoReturn:
    """Print a failure, and exit with code 1."""
    print_failure(failure, as_json=as_json)
    raise SystemExit(1)


@contextmanager
def report_failures(*, as_json: bool = False) -> Iterator[None]:
    """Print an expected failure of the block, and exit with code 1."""
    try:
        yield
    except PlatformError as error:
        fail(error.failure(), as_json=as_json)


def call_and_report(operation: str, arguments: Mapping[str, Any], *, as_json: bool) -> Mapping[str, Any]:
    """Call an operation, print its result if `as_json`, and exit with code 1 on a failure."""
    with report_failures(as_json=as_json):
        result = call_operation(operation, arguments)
        if not result["success"]:
            fail(result, as_json=as_json)
        if as_json:
            print_json(result)
    return result


def printable(text: str) -> str:
    """Replace control characters, so that a document cannot send commands to the terminal."""
    return "".join(character if character.isprintable() else " " for character in text)
