"""Quotations that differ from their text as copies do: other words, line breaks, ligatures, hyphens, curly quotes."""

import random
import re

KINDS = ("words", "lines", "ligatures", "hyphens", "curly")
_OTHER_WORDS = [
    "harbour",
    "velvet",
    "ninety",
    "yonder",
    "quietly",
    "marble",
    "sixteen",
    "blossom",
    "fathom",
    "ledger",
    "winter",
    "copper",
]


def distorted(text: str, kind: str, chance: random.Random) -> str:
    """Return a passage with one kind of difference."""
    words = text.split()
    match kind:
        case "words":
            for place in chance.sample(range(len(words)), round(len(words) * 0.2)):
                words[place] = chance.choice(_OTHER_WORDS)
            return " ".join(words)
        case "lines":
            return "".join(word + chance.choice((" ", " ", "\n", "\r\n  ")) for word in words).strip()
        case "ligatures":
            return " ".join(words).replace("ffi", "ﬃ").replace("fi", "ﬁ").replace("fl", "ﬂ").replace("ff", "ﬀ")
        case "hyphens":
            return " ".join(_broken(word, chance) for word in words)
        case _:
            curly = " ".join(words).replace("'", "\N{RIGHT SINGLE QUOTATION MARK}").replace(" - ", " \N{EN DASH} ")
            return re.sub(r'"([^"]*)"', "“\\1”", curly)


def _broken(word: str, chance: random.Random) -> str:
    if len(word) < 7 or not word.isalpha() or chance.random() < 0.5:
        return word
    place = chance.randrange(3, len(word) - 2)
    return f"{word[:place]}-\n{word[place:]}"


def passage(text: str, chance: random.Random, size: int) -> str:
    """Return some neighbouring words of a text, as they stand there."""
    words = list(re.finditer(r"\S+", text))
    start = chance.randrange(max(1, len(words) - size))
    part = words[start : start + size]
    return text[part[0].start() : part[-1].end()]
