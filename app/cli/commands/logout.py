"""`trawl logout`: signs out of a service, and lets commands use this machine's service again."""

import click

from app.cli.commands.report import as_json_option, print_json, report_failures
from indexer.errors import NotFound


@click.command("logout")
@click.argument("url", required=False)
@as_json_option
def command(*, url: str | None, as_json: bool) -> None:
    """Sign out of the service at URL, by default of the one that commands use. Its tokens are revoked and removed."""
    from app.auth.login.login import logout  # noqa: PLC0415 - slow
    from app.auth.login.login_files import current_login, forget_current  # noqa: PLC0415 - as above
    from app.auth.login.sign_in_place import service_url  # noqa: PLC0415 - as above

    with report_failures(as_json=as_json):
        signed_in = current_login() if url is None else service_url(url)
        if signed_in is None:
            raise NotFound("You are not signed in to a service", action="Nothing is left to do")
        was_current = current_login() == signed_in
        was_signed_in = logout(signed_in)
        forget_current(signed_in)
        if not (was_signed_in or was_current):
            raise NotFound("You are not signed in to this service", action="`trawl status` says which one you use")
    if as_json:
        print_json({"success": True, "status": "signed_out", "url": signed_in})
    else:
        click.echo(f"Signed out of {signed_in}")
