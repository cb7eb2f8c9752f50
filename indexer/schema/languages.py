"""Languages whose stemmers agree on both engines; where a word's stem differs, OpenSearch is told tantivy's.

Not offered, since the engines' stemmers differ too much: Dutch, Finnish, German, Norwegian and Swedish.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final

NO_LANGUAGE: Final = "none"
SNOWBALL: Final[Mapping[str, str]] = MappingProxyType(
    {
        "arabic": "Arabic",
        "danish": "Danish",
        "english": "English",
        "french": "French",
        "greek": "Greek",
        "hungarian": "Hungarian",
        "italian": "Italian",
        "portuguese": "Portuguese",
        "romanian": "Romanian",
        "russian": "Russian",
        "spanish": "Spanish",
        "tamil": "Tamil",
        "turkish": "Turkish",
    }
)
"""tantivy's name of a stemmer, and the `language` of OpenSearch's `snowball` filter for the same."""
LANGUAGES: Final = (*SNOWBALL, NO_LANGUAGE)
"""What an index may be created with."""


@cache
def overrides(language: str) -> Mapping[str, str]:
    """Return the words whose stem OpenSearch takes from here (`stemmer_override`), since tantivy finds another."""
    listed = files(__package__).joinpath(f"{language}_overrides.txt")
    if not listed.is_file():
        return MappingProxyType({})
    pairs = (line.partition(" ") for line in listed.read_text("utf-8").splitlines())
    return MappingProxyType({word: stem for word, _, stem in pairs})
