"""How well the words that send a question elsewhere tell such questions from ordinary ones.

The questions were written by hand, one a line: `guard_ordinary.txt`, `guard_market.txt`, `guard_feeds.txt`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mcp_server.features.web.checks import found_words
from mcp_server.features.web.settings import FEEDS, MARKET
from tests.bench.engines import Place
from tests.bench.report import Row, Table
from tests.bench.scale import Scale

ORDINARY = "ordinary"
SPECIAL = ("market", "feeds")


@dataclass(frozen=True)
class Lists:
    """Values of the two settings; the second message is given only where the first list has found nothing."""

    title: str
    market: tuple[str, ...]
    feeds: tuple[str, ...]

    def refuses(self, question: str) -> bool:
        return bool(found_words(question, self.market) or found_words(question, self.feeds))


DEFAULT = Lists("the default lists", MARKET, FEEDS)
PHRASES = Lists(
    "names and phrases",
    (
        *("polymarket", "kalshi", "predictit", "betfair", "manifold", "odds", "bettors", "order book"),
        *("prediction market", "prediction markets", "betting market", "betting markets", "betting odds"),
        *("event contract", "event contracts", "trading volume", "open position", "my position", "bet on"),
    ),
    ("rss", "google news", "news feed", "feeds", "feed url", "atom feed", "podcast feed", "my feed", "headlines"),
)
NAMES = Lists("names alone", ("polymarket", "kalshi"), ("rss feed", "google news"))


def guard(_: Mapping[str, Place], __: Scale) -> Iterator[Table]:
    """Ask every question of every list, and each word of the default ones by itself; it takes no time."""
    asked = {name: questions(name) for name in (ORDINARY, *SPECIAL)}
    for lists in (DEFAULT, PHRASES, NAMES):
        yield Table(f"Questions sent elsewhere by {lists.title}", list(_scores(lists, asked)))
    yield Table("Each word of the default lists by itself", list(_words(asked)))


def questions(name: str) -> list[str]:
    """Return one of the lists."""
    return Path(__file__).with_name(f"guard_{name}.txt").read_text(encoding="utf-8").splitlines()


def _scores(lists: Lists, asked: Mapping[str, Sequence[str]]) -> Iterator[Row]:
    refused = {name: sum(lists.refuses(question) for question in asked[name]) for name in asked}
    right, total = sum(refused[name] for name in SPECIAL), sum(len(asked[name]) for name in SPECIAL)
    wrong = refused[ORDINARY]
    yield Row("precision", right / (right + wrong), f"{right} of {right + wrong} that were sent elsewhere")
    yield Row("recall", right / total, f"{right} of {total} that should have been")
    for name in SPECIAL:
        yield Row(f"recall, {name}", refused[name] / len(asked[name]), f"{refused[name]} of {len(asked[name])}")
    share = wrong / len(asked[ORDINARY])
    yield Row("ordinary questions wrongly sent elsewhere", share, f"{wrong} of {len(asked[ORDINARY])}", digits=3)


def _words(asked: Mapping[str, Sequence[str]]) -> Iterator[Row]:
    for word in (*DEFAULT.market, *DEFAULT.feeds):
        found = {name: sum(bool(found_words(question, (word,))) for question in asked[name]) for name in asked}
        right = sum(found[name] for name in SPECIAL)
        beside = f"{right} rightly, {found[ORDINARY]} wrongly"
        yield Row(f"precision of `{word}`", right / (right + found[ORDINARY]), beside)
