"""`trawl login`: signs in to a service by the browser; commands use that service from then on."""

import webbrowser
from collections.abc import Mapping
from typing import Any

import click

from app.cli.commands.report import as_json_option, fail, print_json, printable, report_failures
from app.cli.remote_service import RemoteService
from app.cli.service_client import remote_client
from indexer.environment_value import environment_value


@click.command("login")
@click.argument("url")
@click.option("--client-id", help="Client at the issuer; by default the one that the service names.")
@click.option("--scopes", help="Scopes to ask for, comma-separated; by default all that there are.")
@click.option("--no-browser", is_flag=True, help="Print the address to open instead of opening it.")
@as_json_option
def command(*, url: str, client_id: str | None, scopes: str | None, no_browser: bool, as_json: bool) -> None:
    """Sign in to the service at URL by the browser. Commands use it from then on, until `trawl logout`."""
    from app.auth.login.login import login  # noqa: PLC0415 - slow
    from app.auth.login.login_files import make_current  # noqa: PLC0415 - as above

    asked = (scopes or "").replace(",", " ").split()
    with report_failures(as_json=as_json):
        signed_in = login(url, _print_address if no_browser else _open, client_id=client_id, scopes=asked)
        make_current(signed_in.url)
        account = _account(signed_in.url)
        if not account["success"]:
            fail(account, as_json=as_json)
    if as_json:
        names = ("subject", "team", "teams", "scopes")
        print_json({"success": True, "url": signed_in.url} | {name: account[name] for name in names})
        return
    who = f"{account['subject']}, team {account['team']}, {', '.join(account['scopes']) or 'without any scope'}"
    click.echo(f"Signed in to {signed_in.url} as {printable(who)}")
    if environment_value("TRAWL_URL") is None:
        click.echo("Commands use this service from now on; `trawl logout` ends that.", err=True)
    else:
        click.echo("TRAWL_URL is set: commands use the service that it names until you remove it.", err=True)


def _account(url: str) -> Mapping[str, Any]:
    """Ask the service what the new token is worth there."""
    client = remote_client(RemoteService(url, is_named=False, team=environment_value("TRAWL_TEAM")))
    try:
        return client.call("account", {})
    finally:
        client.close()


def _open(address: str) -> None:
    click.echo("Sign in in the browser.", err=True)
    if not webbrowser.open(address):
        _print_address(address)


def _print_address(address: str) -> None:
    click.echo(f"Open this address in a browser on this machine:\n{address}", err=True)
