"""The queue in Redis: messages that hold only keys of records, a marker for each queued message, and a heartbeat.

Redis holds nothing that may not be lost. The records say what is to be done, and the sweep queues it again.

- Redis is down: `queue_job` and `queue_chunk` log a warning and return False. The sweep queues the work when Redis is
  back. Tasks that run already go on, because they need only the records.
- Redis lost its data: the messages and the markers are gone, and the next sweep queues everything that waits.
- A message was lost but its marker was not: the sweep clears the marker as soon as the queues are empty. Otherwise the
  marker expires after ten minutes.
- A message is delivered twice, or queued twice because its marker expired: the lease in the record lets one worker do
  the work, and a chunk is counted once.
- A worker dies: Celery delivers its message again, at once if a pool process died, after the visibility timeout if the
  whole worker did. Nothing depends on that: the sweep queues the work again as soon as the lease has expired.
"""

import logging
from contextlib import suppress
from functools import cached_property
from typing import Final
from urllib.parse import parse_qs, urlsplit

import redis
from celery import Celery
from kombu.exceptions import OperationalError

from workers.celery_app import CHUNK_TASK, JOB_TASK, QUEUES, make_celery
from workers.settings import WorkerSettings

_log = logging.getLogger(__name__)
_TIMEOUT_SECONDS: Final = 3.0
_MARKER_SECONDS: Final = 600
_MARKER_PREFIX: Final = "trawl:queued:"
_HEARTBEAT_KEY: Final = "trawl:workers"
_NOT_SET: Final = "unavailable: TRAWL_REDIS_URL is not set"


class Broker:
    """Queues work for the workers. It connects at the first use, and raises no error of Redis."""

    def __init__(self, settings: WorkerSettings) -> None:
        self._settings = settings

    def queue_job(self, job: str) -> bool:
        """Queue a job by its key, unless it is queued already; False if Redis is down."""
        return self._queue(JOB_TASK, job)

    def queue_chunk(self, job: str, chunk: str) -> bool:
        """Queue a chunk by its job's key and its own, unless it is queued already; False if Redis is down."""
        return self._queue(CHUNK_TASK, chunk, job)

    def clear_marker(self, key: str) -> None:
        """Remove the marker of a message that a worker has received."""
        with suppress(redis.RedisError):
            if self._redis is not None:
                self._redis.delete(_MARKER_PREFIX + key)

    def is_empty(self) -> bool:
        """Return whether the queues are empty. If so, the messages of work that still waits are lost or delivered."""
        try:
            return self._redis is not None and not any(self._redis.llen(queue) for queue in QUEUES)
        except redis.RedisError:
            return False

    def clear_stale_markers(self, keys: list[str]) -> None:
        """Remove the markers of lost messages, so that the work can be queued again."""
        with suppress(redis.RedisError):
            if self._redis is not None and keys:
                self._redis.delete(*(_MARKER_PREFIX + key for key in keys))

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

    def _queue(self, task: str, key: str, *arguments: str) -> bool:
        if self._redis is None:
            return False
        try:
            if not self._redis.set(_MARKER_PREFIX + key, 1, nx=True, ex=_MARKER_SECONDS):
                return True
            try:
                self._celery.send_task(task, args=[key, *arguments], retry=False)
            except BaseException:
                self._redis.delete(_MARKER_PREFIX + key)
                raise
        except (redis.RedisError, OperationalError, OSError):
            _log.warning("Redis does not answer; the sweep queues this later", exc_info=True)
            return False
        return True

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
