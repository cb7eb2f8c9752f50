"""`trawl connect`: prints how to connect an MCP client to this service."""

from collections.abc import Iterator
from dataclasses import dataclass

import click

from app.cli.commands.report import as_json_option, print_json, report_failures
from app.cli.data_folder import find_data_folder
from app.cli.service_client import ServiceClient, find_client
from app.embedded.service_file import RunningService
from indexer.environment_value import environment_value
from mcp_server.access.challenge import METADATA_PATH
from mcp_server.client_setup import CLIENT_SETUPS, MCP_PATH, PLACEHOLDER, ClientSetup, obstacles


@dataclass(frozen=True, slots=True)
class _Target:
    """The service to connect to."""

    url: str
    is_running: bool
    needs_token: bool
    has_issuer: bool


@click.command("connect")
@click.argument("client", type=click.Choice(list(CLIENT_SETUPS)))
@click.option("--token", help="Token to put into the configuration; by default the one in TRAWL_TOKEN.")
@as_json_option
def command(*, client: str, token: str | None, as_json: bool) -> None:
    """Print the command or configuration that connects an MCP client to this service.

    The configuration alone is on standard output, so that it can be written to a file.
    """
    with report_failures(as_json=as_json):
        given = (token or environment_value("TRAWL_TOKEN") or "").strip() or None
        target = _target()
    address = f"{target.url}{MCP_PATH}"
    setup = CLIENT_SETUPS[client]
    must_be_filled_in = given is None and target.needs_token and not (target.has_issuer and setup.signs_in)
    block = setup.block(address, PLACEHOLDER if must_be_filled_in else given)
    if as_json:
        print_json(
            {
                "success": True,
                "client": client,
                "url": address,
                "instruction": setup.instruction,
                "configuration": block,
            }
        )
    else:
        click.echo(setup.instruction, err=True)
        click.echo(block)
    for hint in _hints(setup, target, has_token=given is not None):
        click.echo(hint, err=True)


def _hints(setup: ClientSetup, target: _Target, *, has_token: bool) -> Iterator[str]:
    if target.needs_token and target.has_issuer and setup.signs_in and not has_token:
        yield "The service needs a sign-in: the client opens the browser for it, and needs no token."
    elif target.needs_token and setup.takes_token and not has_token:
        yield (
            f"The service needs a token in the place of {PLACEHOLDER}. Its operator makes one: "
            "trawl token create --team TEAM --scopes search"
        )
    needs_token = target.needs_token or has_token
    yield from obstacles(setup, target.url, needs_token=needs_token, has_issuer=target.has_issuer)
    if not target.is_running:
        yield "No service answers there now; `trawl serve` starts it."


def _target() -> _Target:
    """Return the service that commands use, else the one that the settings describe."""
    client = find_client(find_data_folder())
    if client is not None:
        client.close()
        return _ask(client)
    from app.settings import AppSettings, needs_tokens  # noqa: PLC0415 - slow, and not needed with a running service
    from indexer.environment import read_settings  # noqa: PLC0415 - as above

    settings = read_settings(AppSettings)
    return _Target(
        settings.address,
        is_running=False,
        needs_token=needs_tokens(settings),
        has_issuer=settings.oidc_issuer is not None,
    )


def _ask(client: ServiceClient) -> _Target:
    """Ask a running service as somebody without a token."""
    stranger = ServiceClient(RunningService(0, client.service.url, ""))
    try:
        account, metadata = stranger.get("/api/v1/me"), stranger.get(METADATA_PATH)
    finally:
        stranger.close()
    return _Target(
        client.service.public_url or client.service.url,
        is_running=bool(account),
        needs_token=account.get("error_category") == "authentication",
        has_issuer=bool(metadata.get("authorization_servers")),
    )
