"""What the SDK logs, and what of it gets through."""

import logging
from collections.abc import Iterator

import pytest

from mcp_server.observability.sdk_logs import mask_sdk_logs

CANARY = "canary_51c2"


@pytest.fixture(autouse=True)
def _sdk_logger_as_before() -> Iterator[None]:
    sdk = logging.getLogger("mcp")
    before = sdk.handlers, sdk.propagate, sdk.level
    yield
    sdk.handlers, sdk.propagate, sdk.level = before


def failed(text: str) -> None:
    raise ValueError(text)


def test_only_the_place_and_the_exceptions_of_an_entry_get_through(caplog: pytest.LogCaptureFixture) -> None:
    mask_sdk_logs()
    made_later = logging.getLogger("mcp.server.made_by_this_test")
    try:
        failed(CANARY)
    except ValueError:
        made_later.exception("Resource %r raised", CANARY)
    made_later.warning(f"Invalid Host header: {CANARY}")
    exception, warning = caplog.records
    assert exception.levelno == logging.ERROR
    assert "mcp.server.made_by_this_test" in exception.getMessage()
    assert "ValueError at test_mcp_logs.py" in exception.getMessage()
    assert warning.levelno == logging.WARNING
    assert CANARY not in caplog.text
    assert all(record.exc_info is None for record in caplog.records)


def test_what_the_sdk_tells_for_information_is_dropped(caplog: pytest.LogCaptureFixture) -> None:
    mask_sdk_logs()
    with caplog.at_level(logging.DEBUG):
        logging.getLogger("mcp.server.mcpserver.server").info("Tool %r failed: %r", "search_index", CANARY)
    assert caplog.records == []


def test_masking_twice_logs_once(caplog: pytest.LogCaptureFixture) -> None:
    mask_sdk_logs()
    mask_sdk_logs()
    logging.getLogger("mcp.server").warning("once")
    assert len(caplog.records) == 1
