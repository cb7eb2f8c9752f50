"""The worker: Celery's processes with our tasks, each with a workplace and a sweeper of its own."""

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
from workers.ingest.chunks import begin_chunk
from workers.ingest.steps import work_job
from workers.parsers.child.limits import die_with
from workers.settings import WorkerSettings
from workers.sweep import Sweeper
from workers.transport import use_mended_transport


def run_worker(settings: WorkerSettings, indexer_settings: IndexerSettings) -> int:
    """Work until told to end, and return the exit code. Redis may come later, and may go and come again."""
    use_mended_transport()
    app = make_celery(settings)
    context = WorkerContext(settings, indexer_settings, Broker(settings))
    _add_tasks(app, context)
    _open_in_processes(context)
    # Whoever calls decides about the log: Celery's own would hold the texts of exceptions.
    setup_logging.connect(_leave_logging, weak=False)
    # It is about pickle, which is not accepted.
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


def _leave_logging(**_: Any) -> None:
    """Take Celery's place in setting up the log, and leave it as it is."""


def _add_tasks(app: Celery, context: WorkerContext) -> None:
    @app.task(name=JOB_TASK)  # type: ignore[untyped-decorator] # Celery has no types
    def job(key: str) -> None:
        work_job(context, key)

    @app.task(name=CHUNK_TASK, time_limit=CHUNK_SECONDS)  # type: ignore[untyped-decorator] # as above
    def chunk(key: str, job: str) -> None:
        begun = begin_chunk(context, key, job)
        if begun is not None:
            context.finish_later(begun.finish)


def _open_in_processes(context: WorkerContext) -> None:
    """Have each process that works open the workplace and sweep; this one opens nothing, for it forks."""
    parent = os.getpid()
    sweepers: list[Sweeper] = []

    def opened(**_: Any) -> None:
        die_with(parent)
        sweepers[:] = [Sweeper(context)]
        sweepers[0].start()

    def closed(**_: Any) -> None:
        for sweeper in sweepers:
            sweeper.stop()
        context.close()

    worker_process_init.connect(opened, weak=False)
    worker_process_shutdown.connect(closed, weak=False)
