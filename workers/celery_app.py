"""The Celery configuration. Messages only wake workers up, and may be delivered twice or never.

The records hold the work, its lease and its attempts (`jobs/lease.py`). So the queue may be lost, and a worker that
takes work a second time finds it leased or done.
"""

import ssl
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from celery import Celery
from kombu.entity import Queue

from workers.settings import WorkerSettings

JOB_TASK: Final = "trawl.job"
CHUNK_TASK: Final = "trawl.chunk"
QUEUE_OF_TASK: Final = {JOB_TASK: "trawl.jobs", CHUNK_TASK: "trawl.chunks"}
"""Consumed in turns (round robin), so that a new job does not wait for all chunks of earlier jobs."""
CHUNK_SECONDS: Final = 1_800
"""Hard time limit of a chunk's task."""
_VISIBILITY_SECONDS: Final = 2 * CHUNK_SECONDS
"""Above the hard time limit. A plan or a re-index may take longer; its lease then rejects the second delivery."""


def make_celery(settings: WorkerSettings) -> Celery:
    """Return an application for this broker, without tasks; it does not connect yet."""
    app = Celery("trawl", set_as_current=False, broker=broker_url(settings.redis_url or "redis://"))
    app.conf.update(_configuration(settings))
    return app


def broker_url(url: str) -> str:
    """Return the URL in the form that Celery accepts for Unix sockets."""
    if not url.startswith("unix://"):
        return url
    parts = urlsplit(url)
    database = parse_qs(parts.query).get("db", ["0"])[0]
    return f"redis+socket://{parts.path}?virtual_host={database}"


def _configuration(settings: WorkerSettings) -> dict[str, Any]:
    uses_tls = (settings.redis_url or "").startswith("rediss://")
    return {
        "accept_content": ["json"],
        "task_serializer": "json",
        "result_backend": None,
        "task_ignore_result": True,
        "task_queues": [Queue(name) for name in QUEUE_OF_TASK.values()],  # type: ignore[no-untyped-call] # kombu has few types
        "task_default_queue": QUEUE_OF_TASK[JOB_TASK],
        "task_create_missing_queues": False,
        "task_routes": {task: {"queue": queue} for task, queue in QUEUE_OF_TASK.items()},
        # A message is acknowledged after its work, and queued again if the pool process died. The records count the
        # attempts, so such a message cannot circulate for ever.
        "task_acks_late": True,
        "task_reject_on_worker_lost": True,
        "worker_prefetch_multiplier": 1,
        "broker_transport_options": {
            "visibility_timeout": _VISIBILITY_SECONDS,
            "unacked_restore_interval": 10,
            "unacked_restore_throttle": 1,
            "socket_timeout": 10.0,
            "socket_connect_timeout": 3.0,
            # Applies to producers, which would otherwise wait for Redis for ever. Consumers have their own setting.
            "max_retries": 2,
            "interval_start": 0,
            "interval_step": 0.1,
            "interval_max": 0.2,
            "socket_keepalive": True,
            "queue_order_strategy": "round_robin",
        },
        "broker_use_ssl": {"ssl_cert_reqs": ssl.CERT_REQUIRED} if uses_tls else None,
        "broker_connection_retry_on_startup": True,
        "broker_connection_max_retries": None,
        "worker_cancel_long_running_tasks_on_connection_loss": False,
        "worker_enable_remote_control": False,
        "worker_hijack_root_logger": False,
        "worker_redirect_stdouts": False,
        "worker_proc_alive_timeout": 60.0,
        "worker_concurrency": settings.worker_processes,
    }
