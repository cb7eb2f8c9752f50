"""Decodes bytes: by byte order mark, as UTF-8, as UTF-16 without a mark, else in the likeliest legacy encoding."""

import codecs
import re
from typing import Final

from workers.parsers.failures import ParseError

BINARY: Final = "is not text: it looks like binary data"
_BYTE_ORDER_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_LEGACY_ENCODINGS: Final = (
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
_SAMPLE_LENGTH: Final = 50_000
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_MAX_CONTROL_SHARE: Final = 0.01
_ALLOWED_CONTROLS: Final = 4


def decode(data: bytes) -> str:
    """Return the text; `ParseError` for bytes that are not text in any common encoding."""
    text = _decode(data)
    controls = len(_CONTROLS.findall(text[:_SAMPLE_LENGTH]))
    if controls > max(_ALLOWED_CONTROLS, min(len(text), _SAMPLE_LENGTH) * _MAX_CONTROL_SHARE):
        raise ParseError(BINARY)
    return text


def _decode(data: bytes) -> str:
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return data.decode(_guess_encoding(data), "replace")
    return data.decode(_utf16_codec(data), "replace") if "\0" in text[:100] and _utf16_codec(data) else text


def _utf16_codec(data: bytes) -> str:
    """Return the UTF-16 codec if every second byte of the beginning is mostly zero, else an empty string."""
    sample = data[: 2 * (min(len(data), 2_000) // 2)]
    half = len(sample) // 2
    if half and sample[1::2].count(0) > half * 0.6 and sample[::2].count(0) < half * 0.1:
        return "utf-16-le"
    if half and sample[::2].count(0) > half * 0.6 and sample[1::2].count(0) < half * 0.1:
        return "utf-16-be"
    return ""


def _guess_encoding(data: bytes) -> str:
    if utf16 := _utf16_codec(data):
        return utf16
    if b"\0" in data[:_SAMPLE_LENGTH]:
        raise ParseError(BINARY)
    from charset_normalizer import from_bytes  # noqa: PLC0415 (rarely needed, and slow to import)

    best = from_bytes(data[:_SAMPLE_LENGTH], cp_isolation=list(_LEGACY_ENCODINGS)).best()
    if best is None:
        raise ParseError(BINARY)
    return best.encoding
