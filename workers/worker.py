"""The worker: Celery's prefork pool with the two tasks; each pool process has its own context and sweeper."""

import os
import warnings
from typing import Any

from celery import Celery
from celery.exceptions import SecurityWarning
from celery.signals import setup_logging, worker_process_init, worker_process_shutdown

from indexer.settings import IndexerSettings
from workers.broker import Broker
from workers.celery_app import CHUNK_SECONDS, CHUNK_TASK, JOB_TASK, make_celery
from workers.context import WorkerContext
from workers.ingest.chunks import parse_chunk
from workers.job_lanes import JobLanes
from workers.jobs.records import job_of_chunk
from workers.parsers.child.limits import die_with
from workers.settings import WorkerSettings
from workers.sweep import Sweeper
from workers.transport import use_patched_transport


def run_worker(settings: WorkerSettings, indexer_settings: IndexerSettings, *, needs_tokens: bool = False) -> int:
    """Run until stopped and return the exit code. Redis may start later, and may fail and come back meanwhile.

    With `needs_tokens`, a team may read only the folders and buckets that the connections give to it.
    """
    use_patched_transport()
    app = make_celery(settings)
    context = WorkerContext(settings, indexer_settings, Broker(settings), needs_tokens=needs_tokens)
    lanes = JobLanes(context)
    _add_tasks(app, context, lanes)
    _connect_process_signals(context, lanes)
    # The caller configures logging: Celery's own would log the texts of exceptions.
    setup_logging.connect(_keep_logging, weak=False)
    # The warning is about pickle, which is not accepted here.
    warnings.filterwarnings("ignore", category=SecurityWarning)
    worker = app.Worker(
        pool="prefork",
        concurrency=settings.worker_processes,
        loglevel="WARNING",
        quiet=True,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    worker.start()
    return int(worker.exitcode or 0)


def _keep_logging(**_: Any) -> None:
    """Replace Celery's logging setup with none, so that the present one stays."""


def _add_tasks(app: Celery, context: WorkerContext, lanes: JobLanes) -> None:
    @app.task(name=JOB_TASK)  # type: ignore[untyped-decorator] # Celery has no types
    def job() -> None:
        lanes.fill()

    @app.task(name=CHUNK_TASK, time_limit=CHUNK_SECONDS)  # type: ignore[untyped-decorator] # as above
    def chunk() -> None:
        key = context.broker.next_chunk()
        parsed = None if key is None else parse_chunk(context, key, job_of_chunk(key))
        if parsed is not None:
            context.finish_in_background(parsed.finish)


def _connect_process_signals(context: WorkerContext, lanes: JobLanes) -> None:
    """Start a sweeper in each pool process, and close the context at its end; the parent opens nothing, as it forks."""
    parent = os.getpid()
    sweepers: list[Sweeper] = []

    def start_process(**_: Any) -> None:
        die_with(parent)
        context.open()
        sweepers[:] = [Sweeper(context, lanes.fill)]
        sweepers[0].start()

    def stop_process(**_: Any) -> None:
        for sweeper in sweepers:
            sweeper.stop()
        lanes.stop()
        context.close()

    worker_process_init.connect(start_process, weak=False)
    worker_process_shutdown.connect(stop_process, weak=False)
