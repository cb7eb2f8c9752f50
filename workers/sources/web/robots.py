"""What a site's robots.txt lets us fetch, by RFC 9309: the group for our name, then the longest rule that fits."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, unquote, urlsplit

ROBOTS_LIMIT: Final = 500_000
_SAFE: Final = "/?:@!$&'()*+,;=~-._"


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of a group; `*` stands for anything, `$` at the end for the end."""

    pattern: str
    allows: bool

    def fits(self, path: str) -> bool:
        """Compare piece by piece, so that no pattern is slow."""
        anchored = self.pattern.endswith("$")
        first, *pieces = self.pattern.removesuffix("$").split("*")
        if not path.startswith(first):
            return False
        if anchored and not pieces:
            return path == first
        position = len(first)
        for number, piece in enumerate(pieces, 1):
            if anchored and number == len(pieces):
                return path.endswith(piece) and len(path) - len(piece) >= position
            position = path.find(piece, position)
            if position < 0:
                return False
            position += len(piece)
        return True


@dataclass(frozen=True, slots=True)
class Robots:
    """The rules for us on one site."""

    rules: tuple[Rule, ...] = ()

    @classmethod
    def read(cls, body: bytes, agent: str) -> "Robots":
        """Take the groups that name this agent, else those for everybody."""
        groups = list(_groups(body.decode(errors="replace").splitlines()))
        for name in (agent.lower(), "*"):
            named = [rules for agents, rules in groups if name in agents]
            if named:
                return cls(tuple(rule for rules in named for rule in rules))
        return cls()

    def allow(self, url: str) -> bool:
        """Say whether this page may be fetched; of rules of the same length the one that allows wins."""
        parts = urlsplit(url)
        path = _comparable((parts.path or "/") + (f"?{parts.query}" if parts.query else ""))
        fitting = [rule for rule in self.rules if rule.fits(path)]
        best = max(fitting, key=lambda rule: (len(rule.pattern), rule.allows), default=None)
        return best is None or best.allows


def _groups(lines: Iterable[str]) -> Iterator[tuple[set[str], list[Rule]]]:
    agents, rules = set[str](), list[Rule]()
    for line in lines:
        name, found, value = line.partition("#")[0].partition(":")
        name, value = name.strip().lower(), value.strip()
        if not found:
            continue
        if name == "user-agent":
            if rules:
                yield agents, rules
                agents, rules = set(), []
            agents.add(value.partition("/")[0].strip().lower())
        elif name in {"allow", "disallow"}:
            # An empty rule restricts nothing, but it ends the list of names.
            rules.append(Rule(_comparable(value) or "/", allows=name == "allow" or not value))
    yield agents, rules


def _comparable(path: str) -> str:
    return quote(unquote(path, errors="replace"), safe=_SAFE)
