"""Random requests of red: every operation, with names and words of both teams, of nobody, and nonsense."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from mcp_server.operation import Operation
from tests.operations import OPERATIONS
from tests.teams_apart.handles import Handles
from tests.teams_apart.world import RED_SUBJECT, World

Arguments = dict[str, Any]
_WORDS: Final = ("reef", "coral", "polyps", "number", "note", "survey", "rief", "2003", "*", "the")
_NONSENSE: Final = ("", " ", "x" * 300, "../..", "\u202e", "'\";--", "{}", "%00", "\U0001f41f", "archive", "DEFAULT")
_SIGNS: Final = ("{}", "+{}", "-{}", '"{}"', "{}*")
_STORES: Final = frozenset(
    {"search_add_document", "search_add_documents", "search_create_index", "archive_ingest", "archive_upload"}
    | {"token_create", "own_token_create", "search_web", "reindex_start"}
)
"""Operations that keep what they are given: red must not get blue's marks from its own store."""
_SELDOM: Final = frozenset(
    {"archive_ingest", "archive_upload", "token_create", "own_token_create", "reindex_start", "search_web"}
)
"""Operations that fill the store with every call."""
_SELDOM_SHARE: Final = 0.02
_OPTIONAL_SHARE: Final = 0.35


class Generator:
    """Makes requests; the same seed makes the same ones."""

    def __init__(self, world: World, seed: int) -> None:
        self._random = random.Random(seed)
        self._world = world

    def request(self) -> tuple[Operation[Any, Any], Callable[[Handles], Arguments]]:
        """Return an operation, and what makes its arguments: the like for other handles."""
        operation = self._random.choice(OPERATIONS)
        while operation.name in _SELDOM and not self.chance(_SELDOM_SHARE):
            operation = self._random.choice(OPERATIONS)
        seed, world = self._random.getrandbits(64), self._world

        def build(handles: Handles) -> Arguments:
            chosen = world.to_store if operation.name in _STORES else handles
            return _Draw(random.Random(seed), chosen, world.own).arguments(operation)

        return operation, build

    def chance(self, share: float) -> bool:
        """Say yes in this share of cases."""
        return self._random.random() < share


@dataclass(frozen=True, slots=True)
class _Draw:
    """Draws the arguments of one call."""

    random: random.Random
    handles: Handles
    own: dict[str, str]

    def arguments(self, operation: Operation[Any, Any]) -> Arguments:
        # Red keeps its own documents, so that the same requests find something to the end.
        if operation.name == "search_delete_index":
            return {"index_name": self.handles.index}
        if operation.name == "archive_delete":
            return {"ids": [self.handles.archive_id]}
        given = {}
        for name, described in operation.arguments.model_fields.items():
            is_needed = described.is_required() or name in operation.route.path_arguments
            if is_needed or self.random.random() < _OPTIONAL_SHARE:
                make = _MAKERS.get(name)
                given[name] = self.by_type(described.annotation) if make is None else make(self)
        if operation.name in {"search_query", "search_by_kind"} and "sort" in given:
            given["sort"] = {"field": [f"data.{self.handles.field}"], "order": ["ASC"]}
        return given

    def one_of(self, *values: Any) -> Any:
        return self.random.choice(values)

    def by_type(self, annotation: Any) -> Any:
        if annotation is bool:
            return self.one_of(True, False)
        return self.one_of(1, 2, 10, -1) if annotation in (int, float) else None

    def query(self) -> str:
        word = self.handles.word
        words = (*_WORDS, word, self.handles.author, self.handles.path, word[:9], f"{word[:-1]}x")
        count = self.random.randint(1, 4)
        return " ".join(self.one_of(*_SIGNS).format(self.one_of(*words)) for _ in range(count))

    def filters(self) -> Arguments:
        author, field = self.handles.author, self.one_of("author", "year", "path", "source", self.handles.field, "none")
        value = self.one_of(author, 2003, [author, "x"], {"gte": 2001}, {"exists": True}, {"not": author})
        return {field: {"prefix": self.handles.path[:9]} if field == "path" else value}


_MAKERS: Final[dict[str, Callable[[_Draw], Any]]] = {
    "query": lambda d: d.query(),
    "queries": lambda d: [d.query() for _ in range(d.random.randint(1, 5))],
    "quote": lambda d: d.one_of(d.handles.quote, "A coral reef number", d.handles.quote[10:60]),
    "index_name": lambda d: d.one_of(d.handles.index, "default", "plans", None, *_NONSENSE),
    "doc_id": lambda d: d.one_of(d.handles.doc_id, "doc-1", *_NONSENSE),
    "id": lambda d: d.one_of(
        *(d.handles.archive_id, d.handles.indexed_id, d.handles.archived_id, d.handles.record_id, d.handles.doc_id),
        *(d.own["archive_id"], "x"),
    ),
    "ids": lambda d: [d.one_of(d.handles.archive_id, d.handles.history_id, d.handles.doc_id, "d_none")],
    "job_id": lambda d: d.one_of(d.handles.job_id, f"{d.handles.team}/{d.handles.job_id}", "j_none", *_NONSENSE),
    "token_id": lambda d: d.one_of(d.handles.token_id, "t_none"),
    "bucket": lambda d: d.one_of(d.handles.bucket, "some-bucket", "s3://x"),
    "prefix": lambda d: d.one_of(d.handles.word, "", "data/"),
    "filters": lambda d: d.filters(),
    "sort": lambda d: [d.one_of("-year", "author", f"-{d.handles.field}", "date")],
    "facets": lambda d: [d.one_of("author", "year", d.handles.field, "path", "source", "nothing")],
    "cursor": lambda d: d.one_of(
        *(d.handles.index_cursor, d.handles.archive_cursor, d.handles.list_cursor, d.handles.osdu_cursor),
        *(d.handles.audit_cursor, "x", None),
    ),
    "kind": lambda d: d.one_of(f"{d.handles.word}:wks:*:*", "*:*:*:*", "osdu:wks:well:*"),
    "clauses": lambda d: [{"field": d.handles.field, "op": "eq", "value": d.handles.word}],
    "sources": lambda d: [d.one_of("archive", "indices", "osdu", "quilt")],
    "source": lambda d: d.one_of(
        {"type": "folder", "path": d.handles.root},
        {"type": "s3", "bucket": d.handles.bucket},
        {"type": "urls", "urls": ["https://reefs.example/a"]},
    ),
    "documents": lambda d: [{"doc_id": f"doc-{d.random.randint(0, 9)}", "content": d.query()}],
    "content": lambda d: d.query(),
    "metadata": lambda d: {"author": d.handles.author, d.handles.field: d.handles.word},
    "scopes": lambda _: ["search"],
    "indices": lambda _: ["plans"],
    "name": lambda _: "made",
    "expires": lambda _: "1h",
    "root": lambda d: d.handles.path.partition("/")[0],
    "paths": lambda d: [d.handles.path],
    "everything": lambda _: False,
    "max_chars": lambda d: d.one_of(1_000, 5_000, 999),
    "offset": lambda d: d.one_of(0, 3, 10_000),
    "detail": lambda d: d.one_of("ids", "brief", "full"),
    "format": lambda d: d.one_of("bibtex", "csl-json", "markdown"),
    "status": lambda d: d.one_of("queued", "failed", "done"),
    "subject": lambda d: d.one_of(d.handles.subject, RED_SUBJECT, d.handles.team),
    "operation": lambda d: d.one_of("search_index", "archive_upload", "token_create", d.handles.word),
    "outcome": lambda d: d.one_of("ok", "not_found", "authorization", d.handles.word),
    "since": lambda d: d.one_of("2026-01-01", "2100-01-01", d.handles.word),
    "until": lambda d: d.one_of("2026-01-01", "2100-01-01T12:00:00Z", d.handles.word),
}
"""Draws an argument by its name."""
