"""`trawl serve`: runs the service in the foreground."""

import asyncio

import click

from app import logs
from app.cli.commands.report import report_failures
from app.cli.data_folder import prepare_data_folder
from app.cli.first_steps import first_steps, first_token
from app.embedded.sandboxes import connected_sandboxes
from app.embedded.supervisor import background_processes, with_redis_url
from app.http.application import create_app
from app.http.listeners import open_listeners, port_of
from app.http.server import serve
from app.sample import add_sample
from app.services import close_services, open_services
from app.settings import AppSettings, needs_tokens, refuse_exposure
from indexer.environment import read_settings
from indexer.errors import PlatformError
from indexer.settings import IndexerSettings
from mcp_server.settings import McpSettings
from workers.settings import WorkerSettings


@click.command("serve")
@click.option("--demo", is_flag=True, help="Add sample documents, and sandboxes of OSDU and Quilt unless they are set.")
@click.option("--host", help="Address to listen on, instead of TRAWL_HOST.")
@click.option(
    "--port", type=click.IntRange(0, 65535), help="Port to listen on, instead of TRAWL_PORT; 0 picks a free one."
)
def command(*, demo: bool, host: str | None, port: int | None) -> None:
    """Start the service: HTTP, MCP and the web page."""
    with report_failures():
        options = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
        settings = read_settings(AppSettings).model_copy(update=options)
        refuse_exposure(settings)
        indexer_settings = read_settings(IndexerSettings)
        configured_worker_settings = read_settings(WorkerSettings)
        mcp_settings = read_settings(McpSettings)
        logs.configure()
        prepare_data_folder()
        worker_settings = with_redis_url(indexer_settings, configured_worker_settings)
        # Children start only after everything that may be refused.
        with open_listeners(settings) as listeners, connected_sandboxes(wanted=demo) as sandboxes:
            served = settings.model_copy(update={"port": port_of(listeners.service)})
            app = create_app(served, indexer_settings, worker_settings, mcp_settings, upstream_settings=sandboxes)
            with background_processes(indexer_settings, configured_worker_settings):
                if demo:
                    asyncio.run(_prepare_sample(indexer_settings, worker_settings, mcp_settings, served.address))
                notes = first_steps() if demo else []
                if needs_tokens(settings):
                    notes += first_token(app.state.services)
                if listeners.metrics is not None:
                    notes.append(f"Metrics without a token on port {port_of(listeners.metrics)}")
                serve(app, listeners, settings, indexer_settings.data_dir, notes)


async def _prepare_sample(
    settings: IndexerSettings, worker_settings: WorkerSettings, mcp_settings: McpSettings, address: str
) -> None:
    services = open_services(settings, worker_settings, mcp_settings, public_url=address)
    try:
        await add_sample(services)
    except PlatformError as error:
        # The service must start even if the engine is down.
        click.echo(f"The sample was not added. {error.message}", err=True)
    finally:
        await close_services(services)
