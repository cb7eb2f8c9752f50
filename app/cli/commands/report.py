"""How commands end: the tool's own object with --json, else a sentence; exit code 1 for a failure."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NoReturn

import click

from app.http.responses import to_json
from indexer.errors import PlatformError

as_json_option = click.option("--json", "as_json", is_flag=True, help="Print the result object itself.")


def print_json(result: Mapping[str, Any]) -> None:
    """Print a result as one line of JSON."""
    click.echo(to_json(result))


def tell_failure(failure: Mapping[str, Any], *, as_json: bool) -> None:
    """Print a failure."""
    if as_json:
        print_json(failure)
    else:
        click.echo(f"{printable(failure['error'])}\n{printable(failure['fix']['required_action'])}.", err=True)


def fail(failure: Mapping[str, Any], *, as_json: bool) -> NoReturn:
    """Print a failure and end with exit code 1."""
    tell_failure(failure, as_json=as_json)
    raise SystemExit(1)


@contextmanager
def failures(*, as_json: bool = False) -> Iterator[None]:
    """Turn an expected failure within into its report."""
    try:
        yield
    except PlatformError as error:
        fail(error.failure(), as_json=as_json)


def printable(text: str) -> str:
    """Return text without control characters: a document must not steer a terminal."""
    return "".join(character if character.isprintable() else " " for character in text)
