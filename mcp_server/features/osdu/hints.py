"""What may be wrong with a search that found nothing: fields and kinds that nobody has, and the closest that exist."""

from collections.abc import Sequence
from typing import Final

import orjson

from indexer.tenancy import Principal
from mcp_server.features.osdu.api.connection import OsduConnection
from mcp_server.features.osdu.api.records import buckets
from mcp_server.features.osdu.api.request import QUERY, Search
from mcp_server.features.osdu.catalogue import Kept, closest_kinds
from mcp_server.features.osdu.fields import sampled_fields, unknown_fields
from mcp_server.features.osdu.results import Hints, OsduField

EVERYTHING: Final = "*:*:*:*"
_SAMPLE: Final = 100


class KnownContents:
    """Kinds and fields of a partition, kept for some minutes and renewed in the background."""

    def __init__(self, connection: OsduConnection, asker: Principal) -> None:
        self._connection = connection
        self._asker = asker
        self._kinds: Kept[list[str]] = Kept(self._fetch_kinds)
        self._fields: Kept[list[str]] = Kept(self._fetch_fields)

    def learn(self, kind: str | list[str], fields: Sequence[OsduField]) -> None:
        """Keep the fields of a kind that were looked up anyway."""
        self._fields.put(_name(kind), [field["path"] for field in fields])

    async def hints(self, kind: str | list[str], named: Sequence[str]) -> Hints | None:
        """Return what may be wrong; None where nothing seems to be."""
        asked = [kind] if isinstance(kind, str) else kind
        kinds = [] if EVERYTHING in asked else closest_kinds(asked, await self._kinds.get("") or ())
        # Where the kind itself does not exist, fields of it cannot be known.
        known = await self._fields.get(_name(EVERYTHING if kinds else kind)) if named else None
        fields = unknown_fields(named, known) if known else {}
        return Hints(unknown_fields=fields, closest_kinds=kinds) if fields or kinds else None

    async def aclose(self) -> None:
        """Stop what is being renewed."""
        await self._kinds.aclose()
        await self._fields.aclose()

    async def _fetch_kinds(self, _: str) -> list[str]:
        search = Search(query="", kind=EVERYTHING, executed="", returned_fields=["id"], aggregate_by="kind")
        answer = await self._connection.ask(self._asker, QUERY, search.page(1, 0))
        return [str(bucket["key"]) for bucket in buckets(answer.get("aggregations"))]

    async def _fetch_fields(self, name: str) -> list[str]:
        search = Search(query="", kind=orjson.loads(name), executed="")
        answer = await self._connection.ask(self._asker, QUERY, search.page(_SAMPLE, 0))
        return [field["path"] for field in sampled_fields(answer["results"])]


def _name(kind: str | list[str]) -> str:
    return orjson.dumps(kind).decode()
