"""What red asks, for every operation: with handles that it is given, be they of blue or of nobody."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from tests.teams_apart.handles import Handles

Arguments = dict[str, Any]
Build = Callable[[Handles], Arguments]


@dataclass(frozen=True, slots=True)
class Probe:
    """A call of an operation, and another one that takes back what it did."""

    arguments: Build
    undo: tuple[str, Build] | None = None


def _always(**arguments: Any) -> Probe:
    return Probe(lambda _: arguments)


def _searches(**more: Any) -> list[Probe]:
    """Searches that only blue's documents would answer, and searches that both would."""
    return [
        Probe(lambda h: {"query": h.word, **more}),
        Probe(lambda h: {"query": f"+reef -{h.word} {h.word[:9]}*", **more}),
        Probe(lambda h: {"query": f'"{h.word}"', **more}),
        Probe(lambda h: {"query": "reef", "filters": {h.field: "x"}, **more}),
        Probe(lambda h: {"query": "reef", "filters": {"author": h.author}, **more}),
        Probe(lambda h: {"query": "reef", "sort": [f"-{h.field}"], **more}),
        Probe(lambda h: {"query": "reef", "facets": [h.field], **more}),
        Probe(lambda h: {"query": h.word[:-2] + "xx", "fuzzy": True, **more}),
        _always(query="reef", facets=["author"], fuzzy=True, **more),
        _always(query="*", **more),
        _always(query="rief polips", fuzzy=True, **more),
    ]


_INDEX_SEARCHES: Final = [
    *_searches(index_name="default"),
    *_searches(index_name="plans", explain=True),
    Probe(lambda h: {"query": "reef", "index_name": h.index}),
    Probe(lambda h: {"query": "reef", "k": 1, "index_name": "default", "cursor": h.index_cursor}),
    Probe(lambda h: {"query": "reef", "k": 1, "index_name": h.index, "cursor": h.index_cursor}),
    Probe(lambda h: {"query": "reef", "index_name": f"../{h.team}/{h.index}"}),
    Probe(lambda h: {"query": "reef", "index_name": f"trawl.{h.team}.{h.index}"}),
]
_ARCHIVE_SEARCHES: Final = [
    *_searches(),
    *_searches(includeCitations=True, citationDepth=3),
    Probe(lambda h: {"query": "reef", "filters": {"path": {"prefix": h.path[:6]}}}),
    Probe(lambda h: {"query": "reef", "limit": 1, "cursor": h.archive_cursor}),
    _always(query="reef", facets=["path", "author", "source", "language"]),
]
_A_DOCUMENT: Final = {"content": "A reef of red"}

PROBES: Final[Mapping[str, list[Probe]]] = {
    "status": [_always()],
    "search": [Probe(lambda h: {"query": h.word}), _always(query="reef"), Probe(lambda h: {"query": h.path})],
    "fetch": [
        Probe(lambda h: {"id": h.indexed_id}),
        Probe(lambda h: {"id": h.archived_id}),
        Probe(lambda h: {"id": h.archive_id}),
    ],
    "document_read": [
        Probe(lambda h: {"id": h.indexed_id, "query": h.word}),
        Probe(lambda h: {"id": h.archived_id, "query": h.word[:-2] + "xx"}),
    ],
    "document_citations": [
        Probe(lambda h: {"id": h.archived_id, "depth": 3}),
        Probe(lambda h: {"id": h.indexed_id}),
    ],
    "quote_find": [Probe(lambda h: {"quote": h.quote}), _always(quote="A coral reef number")],
    "search_everywhere": [
        Probe(lambda h: {"query": h.word}),
        _always(query="reef"),
        _always(query="reef", sources=["archive", "indices", "osdu", "quilt", "web"]),
        _always(query="reef", facets=["path", "author", "source", "language"], sort=["-date"], explain=True),
    ],
    "search_index": _INDEX_SEARCHES,
    "search_add_document": [
        Probe(
            lambda h: {"doc_id": h.doc_id, "index_name": "default", **_A_DOCUMENT},
            undo=("search_delete_document", lambda h: {"doc_id": h.doc_id, "index_name": "default"}),
        ),
        Probe(lambda h: {"doc_id": "one", "index_name": h.index, **_A_DOCUMENT}),
    ],
    "search_add_documents": [
        Probe(lambda h: {"documents": [{"doc_id": h.doc_id, **_A_DOCUMENT}], "index_name": h.index}),
    ],
    "search_create_index": [
        Probe(lambda h: {"index_name": h.index}, undo=("search_delete_index", lambda h: {"index_name": h.index})),
    ],
    "search_get_document": [
        Probe(lambda h: {"doc_id": h.doc_id, "index_name": "default"}),
        Probe(lambda h: {"doc_id": h.doc_id, "index_name": h.index}),
    ],
    "search_delete_document": [
        Probe(lambda h: {"doc_id": h.doc_id, "index_name": "default"}),
        Probe(lambda h: {"doc_id": h.doc_id, "index_name": h.index}),
    ],
    "search_list_indices": [_always()],
    "search_describe_index": [_always(index_name="default"), Probe(lambda h: {"index_name": h.index})],
    "search_delete_index": [Probe(lambda h: {"index_name": h.index})],
    "searchLocalArchives": _ARCHIVE_SEARCHES,
    "archive_ingest": [
        Probe(lambda h: {"source": {"type": "folder", "path": h.root}}),
        Probe(lambda h: {"source": {"type": "s3", "bucket": h.bucket}}),
        Probe(
            lambda h: {"source": {"type": "urls", "urls": [f"https://{h.word}.example/"]}},
            undo=("job_cancel", lambda _: {"job_id": "{result}"}),
        ),
    ],
    "archive_get_document": [Probe(lambda h: {"id": h.archive_id})],
    "archive_list": [
        _always(),
        Probe(lambda h: {"cursor": h.list_cursor, "limit": 1}),
        Probe(lambda h: {"filters": {"path": h.path}}),
    ],
    "archive_delete": [Probe(lambda h: {"ids": [h.archive_id]})],
    "archive_upload": [Probe(lambda h: {"root": h.path.partition("/")[0]})],
    "archive_overview": [_always()],
    "cite": [Probe(lambda h: {"id": h.archive_id})],
    "job_status": [Probe(lambda h: {"job_id": h.job_id}), Probe(lambda h: {"job_id": f"../{h.team}/{h.job_id}"})],
    "job_list": [_always(), _always(status="failed")],
    "job_cancel": [Probe(lambda h: {"job_id": h.job_id})],
    "job_retry": [
        Probe(lambda h: {"job_id": h.job_id}),
        Probe(lambda h: {"job_id": h.job_id, "paths": [h.path]}),
    ],
    "reindex_start": [Probe(lambda h: {"index_name": h.index})],
    "search_query": [
        Probe(lambda h: {"query": h.word}),
        Probe(lambda h: {"query": "well", "limit": 1, "cursor": h.osdu_cursor}),
        _always(query="well", aggregate_by="kind"),
    ],
    "search_by_id": [Probe(lambda h: {"id": h.record_id})],
    "search_by_kind": [_always(kind="osdu:wks:well:*")],
    "osdu_discover_fields": [_always(kind="osdu:wks:well:*")],
    "osdu_build_query": [Probe(lambda h: {"clauses": [{"field": "data.Name", "op": "eq", "value": h.word}]})],
    "search_catalog": [Probe(lambda h: {"query": h.word}), Probe(lambda h: {"query": "csv", "bucket": h.bucket})],
    "bucket_objects_list": [Probe(lambda h: {"bucket": h.bucket})],
    "catalog_info": [_always()],
    "search_web": [
        Probe(
            lambda h: {"query": f"what became of the {h.word.partition('content')[0]}question"},
            undo=("web_history_delete", lambda _: {"everything": True}),
        ),
        _always(query="are reefs well in Belize"),
    ],
    "web_history_list": [_always()],
    "web_history_delete": [Probe(lambda h: {"ids": [h.history_id]})],
    "connect_guide": [_always()],
    "account": [_always()],
    "token_list": [_always()],
    "token_create": [
        Probe(
            lambda _: {"scopes": ["search"], "name": "probe"},
            undo=("token_revoke", lambda _: {"token_id": "{result}"}),
        ),
    ],
    "token_revoke": [Probe(lambda h: {"token_id": h.token_id})],
    "audit_list": [
        _always(),
        Probe(lambda h: {"subject": h.subject}),
        Probe(lambda h: {"cursor": h.audit_cursor, "limit": 1}),
        _always(operation="archive_upload", outcome="ok"),
    ],
    "own_token_list": [_always()],
    "own_token_create": [
        Probe(
            lambda _: {"scopes": ["search"], "name": "probe"},
            undo=("own_token_revoke", lambda _: {"token_id": "{result}"}),
        ),
    ],
    "own_token_revoke": [Probe(lambda h: {"token_id": h.token_id})],
    "own_calls": [_always(), Probe(lambda h: {"cursor": h.audit_cursor, "limit": 1})],
    "usage": [_always()],
    "search_statistics": [_always(), _always(days=1)],
}
"""By operation. An operation that is missing here makes a test fail."""
