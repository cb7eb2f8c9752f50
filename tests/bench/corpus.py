"""The documentation tree as documents of a local index, and queries of two words from it."""

import random
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from indexer.library import Library
from indexer.local.arguments import AddDocuments
from indexer.local.documents import add_documents
from indexer.tenancy import Principal
from tests.bench.datasets import documentation

_WORD = re.compile(r"[a-z]{4,}")
_SEED = 7
_AT_ONCE = 250


@dataclass(frozen=True)
class File:
    """One Markdown file of the tree."""

    path: str
    data: bytes

    @property
    def text(self) -> str:
        return self.data.decode(errors="replace")


def files(count: int | None) -> list[File]:
    """Return so many files, chosen at random but always the same; sizes and subjects are those of the whole tree."""
    return list(_shuffled()[:count])


@cache
def _shuffled() -> tuple[File, ...]:
    found = [File(path, data) for path, data in documentation()]
    random.Random(_SEED).shuffle(found)
    return tuple(found)


def two_word_queries(chosen: Sequence[File], count: int) -> list[str]:
    """Return pairs of words that stand in one document: neither rare ones nor those that are everywhere."""
    words = [set(_WORD.findall(file.text.lower())) for file in chosen]
    frequency = Counter(word for found in words for word in found)
    most = len(chosen) // 5
    pick = random.Random(_SEED)
    queries: list[str] = []
    while len(queries) < count:
        fit = sorted(word for word in pick.choice(words) if 10 <= frequency[word] <= most)
        if len(fit) > 1:
            queries.append(" ".join(pick.sample(fit, 2)))
    return queries


async def fill(library: Library, principal: Principal, index: str, chosen: Sequence[File]) -> None:
    """Put the files into a local index."""
    for start in range(0, len(chosen), _AT_ONCE):
        rows = [
            {"doc_id": file.path, "content": file.text, "metadata": {"path": file.path}}
            for file in chosen[start : start + _AT_ONCE]
        ]
        result = await add_documents(library, principal, AddDocuments(documents=rows, index_name=index))
        if result["failed"]:
            raise SystemExit(f"{result['failed']} documents could not be indexed")
