"""`trawl mcp`: MCP over standard input and output, for clients that start their servers."""

import asyncio

import click

from app import logs
from app.cli.commands.report import report_failures
from app.cli.data_folder import prepare_data_folder
from app.embedded.supervisor import background_processes
from app.principals import LOCAL
from app.services import close_services, open_services
from app.settings import AppSettings, needs_tokens
from indexer.environment import read_settings
from indexer.settings import IndexerSettings
from mcp_server.protocol.server import build_server
from mcp_server.protocol.stdio import run_stdio
from mcp_server.settings import McpSettings
from workers.settings import WorkerSettings


@click.command("mcp")
def command() -> None:
    """Serve MCP over standard input and output."""
    with report_failures():
        logs.configure()
        settings = read_settings(IndexerSettings)
        prepare_data_folder()
        with background_processes(settings, read_settings(WorkerSettings)) as background:
            asyncio.run(_run(settings, background.settings, read_settings(McpSettings)))


async def _run(settings: IndexerSettings, worker_settings: WorkerSettings, mcp_settings: McpSettings) -> None:
    app_settings = read_settings(AppSettings)
    services = open_services(
        settings,
        worker_settings,
        mcp_settings,
        public_url=app_settings.address,
        restricted=needs_tokens(app_settings),
    )
    try:
        await run_stdio(build_server(services, LOCAL))
    finally:
        await close_services(services)
