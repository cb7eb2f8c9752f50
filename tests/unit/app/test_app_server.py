import errno
import os
import socket

import pytest

from app.http.server import _address, _cannot_listen, listen
from app.settings import AppSettings
from indexer.errors import Conflict, NotConfigured


def settings(**given: object) -> AppSettings:
    return AppSettings(_env_file=None, **given)


def test_a_taken_port_is_a_failure_that_says_what_to_do() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(Conflict, match=f"Port {port} is taken") as refused:
            listen(settings(port=port))
    assert "TRAWL_PORT" in refused.value.action


def test_a_port_that_may_not_be_used_is_a_failure_with_the_systems_reason() -> None:
    failure = _cannot_listen(OSError(errno.EACCES, "s3cret"), 80)
    assert isinstance(failure, NotConfigured)
    assert failure.message == f"Cannot listen on port 80: {os.strerror(errno.EACCES)}"


def test_port_0_takes_a_free_port() -> None:
    with listen(settings(port=0)) as listener:
        assert listener.getsockname()[1] > 0


def test_addresses_of_the_newer_kind_stand_in_brackets() -> None:
    assert _address("127.0.0.1", 80) == "http://127.0.0.1:80"
    assert _address("::1", 80) == "http://[::1]:80"
