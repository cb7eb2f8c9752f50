"""Languages whose stemmers agree on both engines. For the few words that differ, OpenSearch gets tantivy's stem.

Dutch, Finnish, German, Norwegian and Swedish are missing because their stemmers differ too much.
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
"""The name of each stemmer in tantivy, and in OpenSearch's `snowball` filter."""
LANGUAGES: Final = (*SNOWBALL, NO_LANGUAGE)
"""The languages that an index can be created with."""


@cache
def overrides(language: str) -> Mapping[str, str]:
    """Return the words with tantivy's stem, for OpenSearch's `stemmer_override` filter."""
    file = files(__package__).joinpath(f"{language}_overrides.txt")
    if not file.is_file():
        return MappingProxyType({})
    pairs = (line.partition(" ") for line in file.read_text("utf-8").splitlines())
    return MappingProxyType({word: stem for word, _, stem in pairs})
