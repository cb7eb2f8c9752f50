"""The queues in Redis: which jobs and chunks wait, and messages that wake workers up; and a heartbeat.

Redis holds nothing that may not be lost. The records say what is to be done, and the sweep queues it again. A message
names no work: the worker that receives it takes what is next in the fair queue (`fair_queue.py`).

- Redis is down: `queue_job` and `queue_chunk` log a warning and return False. The sweep queues the work when Redis is
  back. Tasks that run already go on, because they need only the records.
- Redis lost its data: the queues are gone, and the next sweep queues everything that waits.
- A message was lost: the entries of the queue wait for other messages. When there are none left, the sweep sends one
  for each entry.
- A message comes twice or too late: the worker finds the queue empty.
- A worker dies: what it took from the queue is queued again by the sweep, as soon as the lease has expired.
- Work is queued twice: the lease in the record lets one worker do it, and a chunk is counted once.
"""

import logging
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cached_property
from typing import Final
from urllib.parse import parse_qs, urlsplit

import redis
from celery import Celery
from kombu.exceptions import OperationalError

from workers.celery_app import CHUNK_TASK, JOB_TASK, QUEUE_OF_TASK, make_celery
from workers.fair_queue import FairQueue
from workers.settings import WorkerSettings

_log = logging.getLogger(__name__)
_TIMEOUT_SECONDS: Final = 3.0
_HEARTBEAT_KEY: Final = "trawl:workers"
_NOT_SET: Final = "unavailable: TRAWL_REDIS_URL is not set"


class Broker:
    """Queues work for the workers. It connects at the first use, and raises no error of Redis."""

    def __init__(self, settings: WorkerSettings) -> None:
        self._settings = settings

    def queue_job(self, job: str) -> bool:
        """Queue a job by its key, unless it is queued already; False if Redis is down."""
        return self._queue(JOB_TASK, job)

    def queue_chunk(self, chunk: str) -> bool:
        """Queue a chunk by its key, unless it is queued already; False if Redis is down."""
        return self._queue(CHUNK_TASK, chunk)

    def next_job(self, passed_over: Iterable[str] = ()) -> str | None:
        """Take the key of the next job, passing over some teams; None if no other waits, or Redis is down."""
        return self._take(JOB_TASK, passed_over)

    def next_chunk(self) -> str | None:
        """Take the key of the next chunk; None if none waits, or Redis is down."""
        return self._take(CHUNK_TASK)

    def others_wait(self, job: str) -> bool:
        """Return whether another job or a chunk of one is queued; False if Redis is down."""
        try:
            return any(queue.has_others(job) for queue in self._queues.values())
        except redis.RedisError:
            return False

    def replace_lost_messages(self) -> None:
        """Send a message for each queued entry if there are no messages left."""
        with suppress(redis.RedisError, OperationalError, OSError):
            for task, queue in self._queues.items():
                if self._redis is not None and not self._redis.llen(QUEUE_OF_TASK[task]):
                    for _ in range(len(queue)):
                        self._celery.send_task(task, retry=False)

    def send_heartbeat(self) -> None:
        """Tell that a worker is alive; the heartbeat expires after about three sweeps."""
        with suppress(redis.RedisError):
            if self._redis is not None:
                self._redis.set(_HEARTBEAT_KEY, 1, px=int(self._settings.worker_sweep_seconds * 3_000) + 5_000)

    def health(self) -> dict[str, str]:
        """Report whether Redis answers and whether any worker has sent a heartbeat lately."""
        if self._redis is None:
            return {"redis": _NOT_SET, "workers": "none answer"}
        try:
            alive = self._redis.exists(_HEARTBEAT_KEY)
        except redis.RedisError as error:
            return {"redis": f"unavailable: {type(error).__name__}", "workers": "none answer"}
        return {"redis": "ok", "workers": "ok" if alive else "none answer"}

    def close(self) -> None:
        if self._redis is not None:
            self._redis.close()
        if "_celery" in self.__dict__:
            self._celery.close()

    def _queue(self, task: str, key: str) -> bool:
        if self._redis is None:
            return False
        try:
            if self._queues[task].push(key):
                self._celery.send_task(task, retry=False)
        except (redis.RedisError, OperationalError, OSError):
            _log.warning("Redis does not answer; the sweep queues this later", exc_info=True)
            return False
        return True

    def _take(self, task: str, passed_over: Iterable[str] = ()) -> str | None:
        try:
            return None if self._redis is None else self._queues[task].pop(passed_over)
        except redis.RedisError:
            return None

    @cached_property
    def _queues(self) -> Mapping[str, FairQueue]:
        if self._redis is None:
            return {}
        return {JOB_TASK: FairQueue(self._redis, "jobs"), CHUNK_TASK: FairQueue(self._redis, "chunks")}

    @cached_property
    def _celery(self) -> Celery:
        return make_celery(self._settings)

    @cached_property
    def _redis(self) -> "redis.Redis | None":
        url = self._settings.redis_url
        if url is None:
            return None
        client: redis.Redis = redis.Redis.from_url(
            client_url(url), socket_timeout=_TIMEOUT_SECONDS, socket_connect_timeout=_TIMEOUT_SECONDS
        )
        return client


def client_url(url: str) -> str:
    """Return the URL in the form that redis-py accepts; Celery spells Unix sockets differently."""
    if not url.startswith("redis+socket://"):
        return url
    parts = urlsplit(url)
    database = parse_qs(parts.query).get("virtual_host", ["0"])[0]
    return f"unix://{parts.path}?db={database}"
