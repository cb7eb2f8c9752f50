"""Which characters form tokens. The ranges are files, so that a new Unicode version never changes an existing index.

`word_characters.txt` has letters, digits, marks and `_`, without capitals newer than Unicode 14: the engines and Python
lowercase those differently. `single_characters.txt` has the scripts written without spaces, in which each character is
a token: Han (with all of planes 2 and 3), Hiragana, Thai, Lao, Khmer and Myanmar.
"""

import re
from functools import cache
from importlib.resources import files
from typing import Final, Literal

Ranges = tuple[tuple[int, int], ...]
Role = Literal["word", "single"]
ROLES: Final[tuple[Role, Role]] = ("word", "single")
_FOLDER: Final = files(__package__)


@cache
def ranges(role: Role) -> Ranges:
    """Return the first and last code point of each range, ascending."""
    lines = _FOLDER.joinpath(f"{role}_characters.txt").read_text("ascii").splitlines()
    pairs = (line.split() for line in lines)
    return tuple((int(first, 16), int(last, 16)) for first, last in pairs)


def escaped_class(chosen: Ranges) -> str:
    """Return a character class for the regular expressions of Rust and of Python."""
    return "[" + "".join(rf"\U{first:08X}-\U{last:08X}" for first, last in chosen) + "]"


def literal_class(chosen: Ranges) -> str:
    """Return a character class for Lucene's regular expressions, which have no escapes for code points."""
    return "[" + "".join(f"{chr(first)}-{chr(last)}" for first, last in chosen) + "]"


def is_word_character(character: str) -> bool:
    """Return whether the character may be part of a token of several characters."""
    if character.isascii():
        return character.isalnum() or character == "_"
    return _word_character().match(character) is not None


@cache
def single_character_token() -> re.Pattern[str]:
    """Return the pattern of a character that is a token by itself."""
    return re.compile(escaped_class(ranges("single")))


@cache
def _word_character() -> re.Pattern[str]:
    return re.compile(escaped_class(ranges("word")))
