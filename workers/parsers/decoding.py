"""Bytes to characters: byte order marks, UTF-8, UTF-16 without a mark, then the likeliest of the old encodings."""

import codecs
import re
from typing import Final

from workers.parsers.failures import ParseError

BINARY: Final = "is not text: it looks like binary data"
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_OLD: Final = (
    "cp1252",
    "cp1250",
    "cp1251",
    "cp1253",
    "cp1254",
    "cp1255",
    "cp1256",
    "koi8_r",
    "shift_jis",
    "euc_jp",
    "gb18030",
    "big5",
    "euc_kr",
)
_SAMPLE: Final = 50_000
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_CONTROL_SHARE: Final = 0.01
_FEW_CONTROLS: Final = 4


def decode(data: bytes) -> str:
    """Return the text; bytes that are no text in any usual encoding are refused."""
    text = _decoded(data)
    controls = len(_CONTROLS.findall(text[:_SAMPLE]))
    if controls > max(_FEW_CONTROLS, min(len(text), _SAMPLE) * _CONTROL_SHARE):
        raise ParseError(BINARY)
    return text


def _decoded(data: bytes) -> str:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return data.decode(_guessed(data), "replace")
    return data.decode(_wide(data), "replace") if "\0" in text[:100] and _wide(data) else text


def _wide(data: bytes) -> str:
    """Return UTF-16's byte order where every second byte of the beginning is mostly zero, or nothing."""
    sample = data[: 2 * (min(len(data), 2_000) // 2)]
    half = len(sample) // 2
    if half and sample[1::2].count(0) > half * 0.6 and sample[::2].count(0) < half * 0.1:
        return "utf-16-le"
    if half and sample[::2].count(0) > half * 0.6 and sample[1::2].count(0) < half * 0.1:
        return "utf-16-be"
    return ""


def _guessed(data: bytes) -> str:
    if wide := _wide(data):
        return wide
    if b"\0" in data[:_SAMPLE]:
        raise ParseError(BINARY)
    from charset_normalizer import from_bytes  # noqa: PLC0415 (rarely needed, and slow to import)

    best = from_bytes(data[:_SAMPLE], cp_isolation=list(_OLD)).best()
    if best is None:
        raise ParseError(BINARY)
    return best.encoding
