"""`trawl connect`: prints how to connect an MCP client to this service."""

import click

from app.cli.client_setup import CLIENT_SETUPS
from app.cli.commands.report import as_json_option, print_json, report_failures
from app.cli.data_folder import find_data_folder
from app.cli.service_client import running_client


@click.command("connect")
@click.argument("client", type=click.Choice(list(CLIENT_SETUPS)))
@as_json_option
def command(*, client: str, as_json: bool) -> None:
    """Print the command or configuration that connects an MCP client to this service.

    The configuration alone is on standard output, so that it can be written to a file.
    """
    with report_failures(as_json=as_json):
        url, is_running = _service_url()
    address = f"{url}/mcp"
    setup = CLIENT_SETUPS[client]
    block = setup.block(address)
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
    if setup.needs_public_url and not url.startswith("https://"):
        click.echo(
            "This client runs elsewhere: it needs an address that begins with https:// and that it can reach, "
            "set as TRAWL_PUBLIC_URL.",
            err=True,
        )
    if not is_running:
        click.echo("No service runs there now; `trawl serve` starts it.", err=True)


def _service_url() -> tuple[str, bool]:
    """Return the address of the running service, else the one that the settings give it."""
    running = running_client(find_data_folder())
    if running is not None:
        running.close()
        return running.service.public_url or running.service.url, True
    from app.settings import AppSettings  # noqa: PLC0415 - slow, and not needed with a running service
    from indexer.environment import read_settings  # noqa: PLC0415 - as above

    return read_settings(AppSettings).address, False
