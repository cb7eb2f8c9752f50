"""How well the words that send a question elsewhere tell such questions from ordinary ones.

The questions were written by hand, one a line: `guard_ordinary.txt`, `guard_market.txt`, `guard_feeds.txt`, and those
with a word in its plural in `guard_*_plurals.txt`.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mcp_server.features.web.checks import found_words
from mcp_server.features.web.settings import FEEDS, MARKET
from tests.bench.engines import Place
from tests.bench.report import Row, Table
from tests.bench.scale import Scale

ORDINARY = "ordinary"
SPECIAL = ("market", "feeds")
Find = Callable[[str, Sequence[str]], list[str]]
Questions = Mapping[str, Sequence[str]]


def without_plurals(question: str, words: Sequence[str]) -> list[str]:
    """Find words only as they are written, which was the rule before plurals were found."""
    return [word for word in words if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", question.lower())]


@dataclass(frozen=True)
class Lists:
    """Values of the two settings; the second message is given only where the first list has found nothing."""

    title: str
    market: tuple[str, ...]
    feeds: tuple[str, ...]
    find: Find = found_words

    def refuses(self, question: str) -> bool:
        return bool(self.find(question, self.market) or self.find(question, self.feeds))


DEFAULT = Lists("the default lists", MARKET, FEEDS)
BEFORE = Lists("the default lists before, without plurals", MARKET, FEEDS, without_plurals)
PHRASES = Lists(
    "names and phrases",
    (
        *("polymarket", "kalshi", "predictit", "betfair", "manifold", "odds", "bettors", "order book"),
        *("prediction market", "betting market", "betting odds", "event contract", "trading volume"),
        *("open position", "my position", "bet on"),
    ),
    ("rss", "google news", "news feed", "feeds", "feed url", "atom feed", "podcast feed", "my feed", "headlines"),
)
NAMES = Lists("names alone", ("polymarket", "kalshi"), ("rss feed", "google news"))


def guard(_: Mapping[str, Place], __: Scale) -> Iterator[Table]:
    """Ask every question of every list, and each word of the default ones by itself; it takes no time."""
    asked = {name: questions(name) for name in (ORDINARY, *SPECIAL)}
    for lists in (BEFORE, DEFAULT, PHRASES, NAMES):
        yield Table(f"Questions sent elsewhere by {lists.title}", list(_scores(lists, asked)))
    for title, part in (("The 300 questions not written for plurals", ""), ("The 40 written for them", "_plurals")):
        some = {name: _read(f"{name}{part}") for name in asked}
        yield Table(title, [row for lists in (BEFORE, DEFAULT) for row in _compared(lists, some)])
    yield Table("Each word of the default lists by itself", list(_words(asked)))


def questions(name: str) -> list[str]:
    """Return the questions of one kind."""
    return _read(name) + _read(f"{name}_plurals")


def _read(name: str) -> list[str]:
    return Path(__file__).with_name(f"guard_{name}.txt").read_text(encoding="utf-8").splitlines()


def _scores(lists: Lists, asked: Questions) -> Iterator[Row]:
    refused = {name: sum(lists.refuses(question) for question in asked[name]) for name in asked}
    right, total = sum(refused[name] for name in SPECIAL), sum(len(asked[name]) for name in SPECIAL)
    wrong = refused[ORDINARY]
    yield Row("precision", right / (right + wrong), f"{right} of {right + wrong} that were sent elsewhere")
    yield Row("recall", right / total, f"{right} of {total} that should have been")
    for name in SPECIAL:
        yield Row(f"recall, {name}", refused[name] / len(asked[name]), f"{refused[name]} of {len(asked[name])}")
    share = wrong / len(asked[ORDINARY])
    yield Row("ordinary questions wrongly sent elsewhere", share, f"{wrong} of {len(asked[ORDINARY])}", digits=3)


def _compared(lists: Lists, asked: Questions) -> Iterator[Row]:
    for row in _scores(lists, asked):
        if not row.measured.startswith("recall,"):
            yield Row(f"{row.measured}, {lists.title}", row.value, row.beside, digits=row.digits)


def _words(asked: Questions) -> Iterator[Row]:
    for word in (*DEFAULT.market, *DEFAULT.feeds):
        right, wrong = _found(found_words, word, asked)
        right_before, wrong_before = _found(without_plurals, word, asked)
        beside = f"{right} rightly, {wrong} wrongly"
        if (right, wrong) != (right_before, wrong_before):
            beside += f"; of these by the plural {right - right_before} and {wrong - wrong_before}"
        yield Row(f"precision of `{word}`", right / (right + wrong), beside)


def _found(find: Find, word: str, asked: Questions) -> tuple[int, int]:
    """Count the questions that a word refuses rightly and wrongly."""
    found = {name: sum(bool(find(question, (word,))) for question in asked[name]) for name in asked}
    return sum(found[name] for name in SPECIAL), found[ORDINARY]
