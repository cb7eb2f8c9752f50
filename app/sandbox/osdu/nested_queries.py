"""OSDU's `nested(path, (query))`, which searches the objects of an array one by one, in Elasticsearch's language."""

from collections.abc import Iterator, Sequence
from typing import Final

from app.sandbox.engine.port import Body
from mcp_server.lucene.syntax import parse
from mcp_server.lucene.tokens import SyntaxProblem
from mcp_server.lucene.tree import EXISTS, Clause, Group, Occurrence, Term, clauses_within

_FUNCTION: Final = "nested"


def text_query(query: str) -> Body:
    """Return the query of a search; a query without `nested(…)` is passed on as it is."""
    if not query.strip():
        return {"match_all": {}}
    try:
        tree = parse(query)
    except SyntaxProblem:
        return _plain(query)  # the engine says what is wrong
    return _group_query(query, tree) if _has_function(tree) else _plain(query)


def _group_query(query: str, group: Group) -> Body:
    found: list[tuple[Occurrence, Body]] = []
    for clause, called in _with_calls(group.clauses):
        if clause.operator == "AND" and found and found[-1][0] == "should":
            found[-1] = ("must", found[-1][1])
        if called is not None:
            part = _call(query, called)
        elif isinstance(clause.node, Group) and _has_function(clause.node):
            part = _group_query(query, clause.node)
        else:
            part = _plain(query[clause.start : clause.end])
        found.append((clause.occurrence, part))
    clauses: dict[str, list[Body]] = {}
    for occurrence, part in found:
        clauses.setdefault(occurrence, []).append(part)
    return {"bool": clauses}


def _call(query: str, arguments: Group) -> Body:
    path, inner = arguments.clauses
    name = query[path.start : path.end].removesuffix(",")
    return {"nested": {"path": name, "query": _plain(_with_full_names(query, inner, name))}}


def _with_full_names(query: str, clause: Clause, path: str) -> str:
    """Return the text of a clause with `path.` before the names of fields, which are written without it."""
    inner = clauses_within(Group((clause,)))
    places = [each.field_end + 1 if each.node.field == EXISTS else each.start for each in inner if each.node.field]
    text, end = "", clause.start
    for place in places:
        text += f"{query[end:place]}{path}."
        end = place
    return text + query[end : clause.end]


def _has_function(group: Group) -> bool:
    parts = [each.node for each in clauses_within(group) if isinstance(each.node, Group)]
    return any(called is not None for part in (group, *parts) for _, called in _with_calls(part.clauses))


def _with_calls(clauses: Sequence[Clause]) -> Iterator[tuple[Clause, Group | None]]:
    """Yield the clauses; the name of the function with its arguments, which the parser takes for a group."""
    rest = list(clauses)
    while rest:
        clause = rest.pop(0)
        called = _arguments(clause, rest[0]) if rest else None
        if called is not None:
            rest.pop(0)
        yield clause, called


def _arguments(name: Clause, following: Clause) -> Group | None:
    if name.node != Term("word", _FUNCTION) or following.start != name.end or not isinstance(following.node, Group):
        return None
    match following.node.clauses:
        case [Clause(node=Term(kind="word", text=path)), Clause(node=Group())] if path.endswith(","):
            return following.node
        case _:
            return None


def _plain(query: str) -> Body:
    return {"query_string": {"query": query}}
