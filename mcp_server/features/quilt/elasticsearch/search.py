"""Search over the registry's Elasticsearch: every index is named, and those that cannot be searched are left out."""

from collections.abc import Sequence
from typing import Final

import orjson

from indexer.tenancy import Principal
from mcp_server.features.quilt.api.connection import QuiltConnection
from mcp_server.features.quilt.backend import Found, Page, Position
from mcp_server.features.quilt.elasticsearch.answers import PACKAGES, answered, bucket_of
from mcp_server.features.quilt.elasticsearch.merging import merged
from mcp_server.features.quilt.elasticsearch.query import NOTHING, OLD_PACKAGES, Clause, search_body
from mcp_server.features.quilt.failures import NoIndices, invalid, not_permitted, unknown_bucket, unsupported
from mcp_server.features.quilt.query.question import Question
from mcp_server.features.quilt.results import Backend

_DEEPEST: Final = 10_000
_NOBODYS: Final = "trawl-looks-whether-there-is-search"
"""An index that no catalog has: asking for it tells whether there is anybody to ask."""
Refusals = dict[str, bool]
"""Indices that cannot be searched, and whether they are denied rather than missing."""


class ElasticsearchSearch:
    """One registry's Elasticsearch. Buckets are None where the catalog cannot list them."""

    name: Backend = "elasticsearch"

    def __init__(self, connection: QuiltConnection, registry: str, buckets: list[str] | None) -> None:
        self._connection = connection
        self._registry = registry
        self._buckets = buckets
        self._refused: Refusals = {}
        self._old_packages: bool | None = None
        self._answers = False

    async def check(self, principal: Principal) -> None:
        """Fail where the registry has no such search; asked once."""
        if self._answers:
            return
        try:
            await self._ask(principal, NOTHING, [_NOBODYS], size=0, fresh=True)
        except NoIndices:
            self._answers = True

    async def search(self, principal: Principal, question: Question, page: Page) -> Found:
        if page.limit is None or question.order == "best" or len(question.kinds) == 1:
            return await self._page(principal, question, page)
        return await merged(question, page, lambda part, place: self._page(principal, part, place))

    async def _page(self, principal: Principal, question: Question, page: Page) -> Found:
        start, place = page.position or (0, None)
        size, skipped = page.limit or 0, start
        body = search_body(question, with_hits=page.limit is not None)
        if start + size > _DEEPEST and place is not None:
            # By number it goes only so far; a hit's place in the order leads on.
            body["search_after"], skipped = place, 0
        elif size and start >= _DEEPEST:
            raise invalid(
                f"This catalog's search goes no further than {_DEEPEST:,} results",
                "Narrow the search by bucket, filters or more words",
            )
        else:
            size = min(size, _DEEPEST - start)
        # Who names a bucket is told what the registry says of it now; for all of them it is remembered.
        refused = self._refused if question.bucket is None else {}
        indices = self._left(question, await self._named(principal, question), refused)
        while indices:
            try:
                await self._check_metadata(principal, question, indices)
                answer = await self._ask(principal, body, indices, size=size, start=skipped, fresh=page.fresh)
            except NoIndices as error:
                await self._shrink(principal, indices, error, refused)
                left = self._left(question, indices, refused)
                if left == indices:
                    # Each can be searched, only not so many together: the others are told as skipped.
                    refused.update(dict.fromkeys(indices[len(indices) // 2 :], True))
                    left = indices[: len(indices) // 2]
                indices = left
                continue
            self._answers = True
            return _found(answer, start, _denied(refused))
        return Found([], 0, lambda _: None)

    async def _named(self, principal: Principal, question: Question) -> list[str]:
        buckets = self._buckets if question.bucket is None else [question.bucket]
        if buckets is None:
            await self.check(principal)
            raise invalid(
                "This catalog cannot list its buckets",
                "Name a bucket; the operator can name them all in TRAWL_QUILT_BUCKETS",
            )
        if self._buckets is not None and question.bucket is not None and question.bucket not in self._buckets:
            raise unknown_bucket(question.bucket, self._buckets)
        suffixes = [PACKAGES if kind == "package" else "" for kind in question.kinds]
        return [bucket + suffix for bucket in buckets for suffix in suffixes]

    def _left(self, question: Question, indices: Sequence[str], refused: Refusals) -> list[str]:
        """Return the indices that may be searched; where none is left because of permissions, fail."""
        left = [index for index in indices if index not in refused]
        if not left and any(refused[index] for index in indices):
            raise not_permitted(question.bucket)
        if not left and question.bucket is not None and self._buckets is None:
            raise unknown_bucket(question.bucket, [])
        return left

    async def _shrink(self, principal: Principal, indices: Sequence[str], error: NoIndices, refused: Refusals) -> None:
        """Find out which of these cannot be searched."""
        if len(indices) == 1:
            refused[indices[0]] = error.denied
            return
        half = len(indices) // 2
        for part in (indices[:half], indices[half:]):
            try:
                await self._ask(principal, NOTHING, part, size=0, fresh=True)
            except NoIndices as narrower:
                await self._shrink(principal, part, narrower, refused)

    async def _check_metadata(self, principal: Principal, question: Question, indices: Sequence[str]) -> None:
        """Fail where user metadata is asked for and some packages are indexed as text alone; looked at once."""
        if not any(condition.pointer for condition in question.conditions.get("package", ())):
            return
        if self._old_packages is None:
            self._old_packages = (
                answered(await self._ask(principal, OLD_PACKAGES, indices, size=0, fresh=True)).total > 0
            )
        if self._old_packages:
            raise unsupported(
                "This catalog's index cannot filter by user metadata",
                "Leave out meta.… and put the value into the query instead",
            )

    async def _ask(
        self, principal: Principal, body: Clause, indices: Sequence[str], *, size: int, start: int = 0, fresh: bool
    ) -> Clause:
        parameters = {
            "index": ",".join(indices),
            "action": "freeform",
            "body": orjson.dumps(body).decode(),
            "size": str(size),
            "from": str(start),
        }
        answer: Clause = await self._connection.search(principal, self._registry, parameters, fresh=fresh)
        return answer


def _found(answer: Clause, start: int, skipped: list[str]) -> Found:
    found = answered(answer)

    def after(count: int) -> Position | None:
        return [start + count, found.places[count - 1]] if count and start + count < found.total else None

    return Found(found.hits, found.total, after, skipped, found.at_least)


def _denied(refused: Refusals) -> list[str]:
    return sorted({bucket_of(index) for index, denied in refused.items() if denied})
