"""`python -m app.sandbox NAME=DESCRIPTOR…`: serve sandboxes on inherited sockets until standard input closes."""

import asyncio
import socket
import sys
from typing import cast

from app.sandbox.declared import SandboxName
from app.sandbox.run import run_sandboxes


def main(arguments: list[str]) -> None:
    """Read which sandbox belongs to which socket, and serve them."""
    pairs = (argument.split("=") for argument in arguments)
    listeners = {cast("SandboxName", name): socket.socket(fileno=int(descriptor)) for name, descriptor in pairs}
    asyncio.run(run_sandboxes(listeners, end_with=sys.stdin.fileno()))


if __name__ == "__main__":
    main(sys.argv[1:])
