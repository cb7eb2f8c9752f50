"""`trawl token`: creates, lists and revokes tokens, on the machine of the service itself."""

from typing import Final

import click

from app.cli.commands.report import as_json_option, print_json, report_failures
from app.cli.commands.table import Column, render_table
from app.cli.commands.units import local_time

_COLUMNS: Final = (
    Column("ID"),
    Column("TEAM"),
    Column("NAME"),
    Column("SCOPES"),
    Column("INDICES"),
    Column("EXPIRES"),
    Column("LAST USED"),
    Column("BY"),
)
_team_option = click.option("--team", default="main", show_default=True, help="Team of the tokens.")


@click.group("token")
def command() -> None:
    """Create, list and revoke tokens. They are shown once; only a digest of each is kept."""


@command.command("create")
@_team_option
@click.option("--scopes", required=True, help="Comma-separated: search, write, ingest, osdu, quilt, web, admin.")
@click.option("--name", default="", help="What the token is for.")
@click.option("--indices", help="The only indices that it may use, comma-separated; archive is one.")
@click.option("--expires", help="Lifetime, like 12h, 90d or 52w; without it, the token never expires.")
@as_json_option
def create(*, team: str, scopes: str, name: str, indices: str | None, expires: str | None, as_json: bool) -> None:
    """Create a token and print it. A team exists from its first token on."""
    from app.cli.host_access import checked, host_library, host_trail, operator  # noqa: PLC0415 - imports the service
    from indexer.tenancy import team_id  # noqa: PLC0415 - as above
    from mcp_server.access.token_store import TokenStore  # noqa: PLC0415 - as above
    from mcp_server.audit.operator_audit import audited  # noqa: PLC0415 - as above
    from mcp_server.features.account.arguments import CreateToken  # noqa: PLC0415 - as above
    from mcp_server.features.account.service import issue_token  # noqa: PLC0415 - as above

    with report_failures(as_json=as_json):
        of_team = team_id(team)
        asked = checked(
            CreateToken,
            scopes=scopes.split(","),
            name=name,
            indices=None if indices is None else [each.strip() for each in indices.split(",") if each.strip()],
            expires=expires,
        )
        with (
            host_library(create=True) as library,
            host_trail(library) as trail,
            audited(trail, "token_create", team=of_team, subject=operator()) as record,
        ):
            new = issue_token(TokenStore(library.engine.records), of_team, asked, created_by=operator())
            record.object = new["id"]
    if as_json:
        print_json(new)
        return
    click.echo(new["token"])
    until = f"until {local_time(new['expires_at'])}" if new["expires_at"] else "for ever"
    click.echo(f"Team {new['team']}, {', '.join(new['scopes'])}, {until}. It is not shown again.", err=True)


@command.command("list")
@click.option("--team", help="Only the tokens of this team.")
@as_json_option
def list_(*, team: str | None, as_json: bool) -> None:
    """List the tokens with their last use, never the tokens themselves."""
    from app.cli.host_access import host_library  # noqa: PLC0415 - imports the service
    from mcp_server.access.token_store import TokenStore  # noqa: PLC0415 - as above
    from mcp_server.features.account.service import token_entries  # noqa: PLC0415 - as above

    with report_failures(as_json=as_json), host_library() as library:
        records = TokenStore(library.engine.records).all()
        entries = token_entries(record for record in records if team is None or record.team == team)
    if as_json:
        print_json({"success": True, "tokens": entries})
        return
    rows = [
        [
            entry["id"],
            entry["team"],
            entry["name"],
            ",".join(entry["scopes"]),
            "all" if entry["indices"] is None else ",".join(entry["indices"]),
            local_time(entry["expires_at"]) if entry["expires_at"] else "never",
            local_time(entry["last_used_at"]) if entry["last_used_at"] else "never",
            entry["last_client"],
        ]
        for entry in entries
    ]
    click.echo(render_table(_COLUMNS, rows))


@command.command("revoke")
@click.argument("token_id", metavar="ID")
@as_json_option
def revoke(*, token_id: str, as_json: bool) -> None:
    """Revoke a token by its id. Every process refuses it within a second."""
    from app.cli.host_access import host_library, host_trail, operator  # noqa: PLC0415 - imports the service
    from mcp_server.access.token_store import TokenStore, UnknownToken  # noqa: PLC0415 - as above
    from mcp_server.audit.operator_audit import audited  # noqa: PLC0415 - as above

    with report_failures(as_json=as_json), host_library() as library, host_trail(library) as trail:
        store = TokenStore(library.engine.records)
        team = next((record.team for record in store.all() if record.id == token_id), None)
        if team is None:
            raise UnknownToken
        with audited(trail, "token_revoke", team=team, subject=operator()) as record:
            record.object = token_id
            store.revoke(team, token_id)
    if as_json:
        print_json({"success": True, "status": "revoked", "id": token_id})
    else:
        click.echo(f"revoked {token_id}")
