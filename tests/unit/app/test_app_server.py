import errno
import os
import socket

import pytest

from app.http.listeners import _cannot_listen, open_listeners, port_of
from app.settings import AppSettings, listening_url
from indexer.errors import Conflict, NotConfigured


def settings(**given: object) -> AppSettings:
    return AppSettings(_env_file=None, **given)


def test_a_taken_port_is_a_failure_that_says_what_to_do() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with (
            pytest.raises(Conflict, match=f"Port {port} is taken") as refused,
            open_listeners(settings(port=0, metrics_port=port)),
        ):
            pass
    assert "TRAWL_PORT" in refused.value.action


def test_a_port_that_may_not_be_used_is_a_failure_with_the_systems_reason() -> None:
    failure = _cannot_listen(OSError(errno.EACCES, "s3cret"), 80)
    assert isinstance(failure, NotConfigured)
    assert failure.message == f"Cannot listen on port 80: {os.strerror(errno.EACCES)}"


def test_port_0_takes_a_free_port() -> None:
    with open_listeners(settings(port=0)) as listeners:
        assert port_of(listeners.service) > 0
        assert listeners.metrics is None


def test_addresses_of_the_newer_kind_stand_in_brackets() -> None:
    assert listening_url(settings(host="127.0.0.1"), 80) == "http://127.0.0.1:80"
    assert listening_url(settings(host="::1"), 80) == "http://[::1]:80"
