"""The queue in Redis: messages with ids alone, a mark for each of them, and the workers' sign of life.

Everything here may be lost at any time: the sweep queues again what the records say is to be done.
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
_PATIENCE: Final = 3.0
_MARK_SECONDS: Final = 600
_MARK: Final = "trawl:queued:"
_ALIVE: Final = "trawl:workers"
_NOT_SET: Final = "unavailable: TRAWL_REDIS_URL is not set"


class Broker:
    """Sends work to the workers. Nothing is contacted before the first use, and no failure of Redis is raised."""

    def __init__(self, settings: WorkerSettings) -> None:
        self._settings = settings

    def queue_job(self, job: str) -> bool:
        """Queue a job by its key, unless it is queued already; False if Redis does not answer."""
        return self._queue(JOB_TASK, job)

    def queue_chunk(self, job: str, chunk: str) -> bool:
        """Queue a chunk by its job's key and its own."""
        return self._queue(CHUNK_TASK, chunk, job)

    def begun(self, key: str) -> None:
        """Forget that this is queued: a worker has it."""
        with suppress(redis.RedisError):
            if self._redis is not None:
                self._redis.delete(_MARK + key)

    def is_empty(self) -> bool:
        """Say whether nothing is waiting: then what the records call waiting has been lost, or has just begun."""
        try:
            return self._redis is not None and not any(self._redis.llen(queue) for queue in QUEUES)
        except redis.RedisError:
            return False

    def forget_marks(self, keys: list[str]) -> None:
        """Let these be queued again although they seem to be queued."""
        with suppress(redis.RedisError):
            if self._redis is not None and keys:
                self._redis.delete(*(_MARK + key for key in keys))

    def show_life(self) -> None:
        """Tell that a worker is there, for some sweeps' time."""
        with suppress(redis.RedisError):
            if self._redis is not None:
                self._redis.set(_ALIVE, 1, px=int(self._settings.worker_sweep_seconds * 3_000) + 5_000)

    def health(self) -> dict[str, str]:
        """Say whether Redis answers, and whether any worker has lately shown life."""
        if self._redis is None:
            return {"redis": _NOT_SET, "workers": "none answer"}
        try:
            alive = self._redis.exists(_ALIVE)
        except redis.RedisError as error:
            return {"redis": f"unavailable: {type(error).__name__}", "workers": "none answer"}
        return {"redis": "ok", "workers": "ok" if alive else "none answer"}

    def close(self) -> None:
        if self._redis is not None:
            self._redis.close()
        if "_celery" in self.__dict__:
            self._celery.close()

    def _queue(self, task: str, key: str, *more: str) -> bool:
        if self._redis is None:
            return False
        try:
            if not self._redis.set(_MARK + key, 1, nx=True, ex=_MARK_SECONDS):
                return True
            try:
                self._celery.send_task(task, args=[key, *more], retry=False)
            except BaseException:
                self._redis.delete(_MARK + key)
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
            client_url(url), socket_timeout=_PATIENCE, socket_connect_timeout=_PATIENCE
        )
        return client


def client_url(url: str) -> str:
    """Return the address as the Redis client spells it: Celery has its own spelling for sockets."""
    if not url.startswith("redis+socket://"):
        return url
    parts = urlsplit(url)
    database = parse_qs(parts.query).get("virtual_host", ["0"])[0]
    return f"unix://{parts.path}?db={database}"
