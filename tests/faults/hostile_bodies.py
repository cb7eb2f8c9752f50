"""Bodies that would cost seconds to parse or to validate, each refused or answered while others are served."""

from collections.abc import Callable
from typing import Any, Final

import orjson

from tests.modern import modern_request

MCP: Final = "/mcp"
SEARCH: Final = "/api/v1/indices/default/search"
INDICES: Final = "/api/v1/indices"
PLAIN: Final = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
Request = tuple[str, dict[str, str], bytes]
"""Path, headers and body."""


def _call(tool: str, arguments: bytes) -> bytes:
    return b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%b","arguments":%b}}' % (
        tool.encode(),
        arguments,
    )


def _keys(count: int) -> bytes:
    return b"{" + b",".join(b'"k%d":%d' % (number, number) for number in range(count)) + b"}"


def unknown_keys() -> Request:
    return SEARCH, PLAIN, _keys(1_000_000)


def unknown_keys_over_mcp() -> Request:
    return MCP, PLAIN, _call("search_index", _keys(1_000_000))


def batch_over_mcp() -> Request:
    return MCP, PLAIN, b"[" + b",".join([b'{"jsonrpc":"2.0","id":1,"method":"ping"}'] * 1_000_000) + b"]"


def filter_values() -> Request:
    return SEARCH, PLAIN, b'{"query":"reef","filters":{"year":[' + b",".join([b"1999"] * 9_900_000) + b"]}}"


def long_numbers_over_mcp() -> Request:
    """The parser of this revision takes the square of their length for each."""
    headers, body = modern_request("tools/call", {"name": "search_index", "arguments": {"query": "reef", "n": 0}})
    numbers = b'"n":[' + b",".join([b"9" * 4_200] * 11_000) + b"]"
    return MCP, {**PLAIN, **headers}, orjson.dumps(body).replace(b'"n":0', numbers)


def wide_text() -> Request:
    """One character that needs four bytes makes each of the others take four."""
    return SEARCH, PLAIN, orjson.dumps({"query": "a" * 49_000_000 + "😀"})


def wide_text_over_mcp() -> Request:
    return MCP, PLAIN, _call("search_index", wide_text()[2])


def text_in_another_encoding() -> Request:
    """In UTF-16, the bytes of other characters look like quotes."""
    headers, body = modern_request("tools/call", {"name": "search_index", "arguments": {"query": "≢", "n": 0}})
    text = orjson.dumps(body).decode().replace('"n":0', '"n":[' + ",".join(["0"] * 10_000_000) + "]")
    return MCP, {**PLAIN, **headers}, text.encode("utf-16-le")


def wrong_members() -> Request:
    """Each wrong member of an object is a problem of its own for the validation."""
    return INDICES, PLAIN, b'{"index_name":"a","tokenizer_config":' + _keys(95_000) + b"}"


BODIES: Final[dict[str, tuple[Callable[[], Request], str]]] = {
    "unknown keys": (unknown_keys, "holds more than 100,000 values"),
    "unknown keys over MCP": (unknown_keys_over_mcp, "holds more than 100,000 values"),
    "batch over MCP": (batch_over_mcp, "Send one request at a time"),
    "filter values": (filter_values, "holds more than 100,000 values"),
    "long numbers over MCP": (long_numbers_over_mcp, "has more than 4 MB outside of strings"),
    "wide text": (wide_text, "has a string of more than 32 MB"),
    "wide text over MCP": (wide_text_over_mcp, "has a string of more than 32 MB"),
    "text in another encoding": (text_in_another_encoding, "is not valid JSON"),
    "wrong members": (wrong_members, "tokenizer_config has more than 20,000 values"),
}
"""How each body is made, and what is told about it."""


def error_of(answer: Any) -> str:
    """Return the message of a failure, over REST or MCP."""
    error = answer["error"]
    return str(error["message"] if isinstance(error, dict) else error)
