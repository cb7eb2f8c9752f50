"""The operation that shows how each client is connected. It is for people, and no MCP tool: an agent is connected."""

from typing import Final, Literal

from typing_extensions import TypedDict

from indexer.arguments import Arguments
from indexer.tenancy import Principal
from mcp_server.client_setup import CLIENT_SETUPS, MCP_PATH, PLACEHOLDER, ClientSetup, obstacles
from mcp_server.effect import READ
from mcp_server.operation import ANY_SCOPE, Group, Operation
from mcp_server.route import Route
from mcp_server.services import Services

_GROUP: Final = Group("connect", guidance="", reads=ANY_SCOPE, changes=ANY_SCOPE)


class ShowConnect(Arguments):
    """No arguments."""


class ClientGuide(TypedDict):
    """How one client is connected; `<token>` stands in the block where a token goes."""

    name: str
    title: str
    instruction: str
    block: str
    takes_token: bool
    note: str | None


class ConnectGuide(TypedDict):
    """How clients are connected to this service, at the URL of its MCP server."""

    success: Literal[True]
    url: str
    needs_token: bool
    has_issuer: bool
    """Whether people can sign in at an issuer, from clients that open a browser."""
    clients: list[ClientGuide]


async def _show_connect(services: Services, principal: Principal, _: ShowConnect) -> ConnectGuide:
    # Behind a proxy, a service may need tokens that needs none on its own machine.
    needs_token = services.needs_token or not principal.is_local
    address = f"{services.public_url}{MCP_PATH}"
    return ConnectGuide(
        success=True,
        url=address,
        needs_token=needs_token,
        has_issuer=services.has_issuer,
        clients=[
            ClientGuide(
                name=name,
                title=setup.title,
                instruction=setup.instruction,
                block=setup.block(address, PLACEHOLDER if needs_token else None),
                takes_token=setup.takes_token,
                note=_note(setup, services, needs_token=needs_token),
            )
            for name, setup in CLIENT_SETUPS.items()
        ],
    )


def _note(setup: ClientSetup, services: Services, *, needs_token: bool) -> str | None:
    has_issuer = services.has_issuer
    notes = list(obstacles(setup, services.public_url, needs_token=needs_token, has_issuer=has_issuer))
    if needs_token and has_issuer and setup.takes_token and setup.signs_in:
        notes.append("Without a token, this client opens the browser to sign in.")
    return " ".join(notes) or None


CONNECT: Final = Operation(
    name="connect_guide",
    title="Show how to connect a client",
    description="The command or the configuration that connects each client to this service.",
    group=_GROUP,
    effect=READ,
    arguments=ShowConnect,
    result=ConnectGuide,
    handler=_show_connect,
    route=Route("GET", "/api/v1/connect"),
    text=None,
)

OPERATIONS: Final = (CONNECT,)
