import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from app.logs import JsonLines


@pytest.fixture
def lines() -> Iterator[tuple[logging.Handler, io.StringIO]]:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    yield handler, stream
    handler.close()


def logged(lines: tuple[logging.Handler, io.StringIO], name: str, *arguments: Any, **more: Any) -> dict[str, Any]:
    handler, stream = lines
    logger = logging.getLogger(name)
    logger.addHandler(handler)
    try:
        logger.error(*arguments, **more)
    finally:
        logger.removeHandler(handler)
    entry: dict[str, Any] = json.loads(stream.getvalue())
    return entry


def test_our_own_entries_keep_their_message_and_the_fields_on_the_list(
    lines: tuple[logging.Handler, io.StringIO],
) -> None:
    entry = logged(lines, "app.bugs", "it failed", extra={"reference": "r1", "query": "s3cret"})
    assert (entry["level"], entry["logger"], entry["event"], entry["reference"]) == (
        "error",
        "app.bugs",
        "it failed",
        "r1",
    )
    assert set(entry) == {"time", "level", "logger", "event", "reference"}


@pytest.mark.parametrize("message", ["GET /api?q=s3cret", "%s"])
def test_what_libraries_say_is_left_out(lines: tuple[logging.Handler, io.StringIO], message: str) -> None:
    arguments = ("s3cret",) if "%" in message else ()
    entry = logged(lines, "uvicorn.error", message, *arguments, extra={"reference": "s3cret"})
    assert "s3cret" not in str(entry)
    assert entry["event"].startswith("test_app_logs:")


def test_an_exception_leaves_its_kind_and_place_but_not_its_text(lines: tuple[logging.Handler, io.StringIO]) -> None:
    try:
        {}["s3cret"]
    except KeyError as error:
        entry = logged(lines, "uvicorn.error", "s3cret", exc_info=error)
    assert "KeyError" in entry["error"]
    assert "test_app_logs.py" in entry["error"]
    assert "s3cret" not in str(entry)
