import unicodedata

import pytest

from indexer.text.clean import clean


@pytest.mark.parametrize(
    "hidden", ["\u200b", "\u200d", "\u200e", "\u202e", "\u2066", "\u2069", "\ufeff", "\u061c", "\u2060", "\U000e0041"]
)
def test_hidden_characters_are_removed_everywhere(hidden: str) -> None:
    value = {f"k{hidden}ey": [f"a{hidden}b", {"deep": f"{hidden}c"}], "n": 1, "b": True, "none": None}
    assert clean(value) == {"key": ["ab", {"deep": "c"}], "n": 1, "b": True, "none": None}


def test_every_bidirectional_control_is_removed() -> None:
    controls = [
        chr(code)
        for code in range(0x110000)
        if unicodedata.bidirectional(chr(code)) in {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    ]
    assert len(controls) == 9
    assert clean("".join(controls)) == ""


def test_ordinary_text_in_any_script_stays() -> None:
    text = "naïve שלום עליכם 日本語 ไทย 👍🏽 a\tb\nc"
    assert clean(text) == text
