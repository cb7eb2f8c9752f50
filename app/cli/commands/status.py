"""`trawl status`: shows the engine, documents, queue, sources and jobs."""

from collections.abc import Iterator, Mapping
from typing import Any

import click

from app.cli.commands.report import as_json_option, call_and_report, printable
from app.cli.commands.units import counted
from app.cli.remote_service import RemoteService, remote_service
from app.cli.service_client import running_client
from indexer.data_folder import configured_data_folder
from indexer.environment_value import environment_value


@click.command("status")
@as_json_option
def command(*, as_json: bool) -> None:
    """Show the engine, documents, queue, sources and jobs; `trawl doctor` says what to fix."""
    result = call_and_report("status", {}, as_json=as_json)
    if not as_json:
        fields = dict(_fields(result, remote_service()))
        width = max(map(len, fields))
        for name, text in fields.items():
            click.echo(f"{click.style(f'{name:{width}}', bold=True)}  {printable(text)}")


def _fields(status: Mapping[str, Any], remote: RemoteService | None) -> Iterator[tuple[str, str]]:
    if remote is None:
        address = _local_address()
        yield "service", f"runs at {address}" if address else "does not run; `trawl serve` starts it"
        yield "data", str(configured_data_folder())
    else:
        address = remote.url
        yield "service", f"{address}, {'named by TRAWL_URL' if remote.is_named else 'signed in by `trawl login`'}"
    yield "version", status["versions"]["trawl"]
    yield "engine", f"{status['engine']['name']}: {status['engine']['status']}"
    documents = status["documents"]
    if documents is None:
        yield "documents", "not known while the engine does not answer"
    else:
        in_indices = counted(status["indices"], "index", "indices")
        yield "documents", f"{documents['archive']:,} in the archive, {documents['indices']:,} in {in_indices}"
    if address or environment_value("TRAWL_REDIS_URL"):
        yield "queue", ", ".join(f"{name}: {state}" for name, state in status["queues"].items())
    else:
        yield "queue", "starts with the service"
    yield "sources", "; ".join(_sources(status["sources"]))
    if status["jobs"] is not None:
        yield "jobs", ", ".join(f"{count:,} {state}" for state, count in status["jobs"].items()) or "none"
    if status["outdated_indices"]:
        outdated = status["outdated_indices"]
        yield "outdated", f"{', '.join(outdated)}: rebuild with `trawl reindex {outdated[0]}`"


def _local_address() -> str | None:
    client = running_client(configured_data_folder())
    if client is None:
        return None
    client.close()
    return client.service.public_url or client.service.url


def _sources(sources: Mapping[str, str]) -> Iterator[str]:
    by_state: dict[str, list[str]] = {}
    for name, state in sources.items():
        by_state.setdefault(state, []).append(name)
    for state, names in by_state.items():
        yield f"{', '.join(names)} {state}"
