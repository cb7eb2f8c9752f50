"""`trawl sandbox`: runs a server that speaks OSDU's or Quilt's wire format, with sample data."""

import asyncio
import errno
import os
import socket
from typing import cast

import click

from app.cli.commands.report import as_json_option, print_json, report_failures
from app.sandbox.declared import SANDBOXES, SandboxName
from app.sandbox.sockets import address_of, listen
from indexer.errors import Conflict, NotConfigured


@click.command("sandbox")
@click.argument("name", type=click.Choice(list(SANDBOXES)))
@click.option("--port", type=click.IntRange(0, 65535), help="Port to listen on; 0 picks a free one.")
@as_json_option
def command(*, name: str, port: int | None, as_json: bool) -> None:
    """Try OSDU or Quilt without an account: serve sample data in the format of the real service, until interrupted."""
    chosen = cast("SandboxName", name)
    with report_failures(as_json=as_json), _listen(SANDBOXES[chosen].port if port is None else port) as listener:
        from app.sandbox.run import run_sandboxes  # noqa: PLC0415 - takes long to import

        asyncio.run(run_sandboxes({chosen: listener}, lambda: _say(chosen, address_of(listener), as_json=as_json)))


def _listen(port: int) -> socket.socket:
    try:
        return listen(port)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise Conflict(
                f"Port {port} is taken by another process", action="Choose another one with --port (0 takes a free one)"
            ) from None
        raise NotConfigured(
            f"Cannot listen on port {port}: {os.strerror(error.errno or 0)}", action="Choose another one with --port"
        ) from None


def _say(name: SandboxName, url: str, *, as_json: bool) -> None:
    """Tell the address, how to connect a service, and what to try."""
    sandbox = SANDBOXES[name]
    settings, request = sandbox.settings_for(url), sandbox.request.format(url=url)
    if as_json:
        print_json({"success": True, "sandbox": True, "name": name, "url": url, "settings": settings, "try": request})
        return
    click.echo(f"The {sandbox.title} sandbox is ready at {url}. Its data are samples, nothing in it is real.\n")
    click.echo("Connect a service to it:\n")
    for setting, value in settings.items():
        click.echo(f"  export {setting}={value}")
    click.echo(f"  trawl serve\n\nThen try the tool call:\n\n  {sandbox.call}\n")
    click.echo(f"Or ask the sandbox itself:\n\n  {request}\n\nPress Ctrl+C to stop it.")
