"""Tells hits of the words as typed from hits of their corrections."""

from indexer.query.ast import Combined, Corrected, Everything, Nothing, Query


def exact_condition(query: Query) -> Query:
    """Return the condition by which a hit of the query is also one without corrections: often all or nothing.

    Only clauses that decide whether a document matches count: not `ranking`, and not `where` and `must_not`, which are
    the same with and without corrections.
    """
    match query:
        case Corrected():
            return Nothing()
        case Combined(must=must) if must:
            return Nothing() if any(isinstance(part, Corrected) for part in must) else Everything()
        case Combined(any_of=any_of):
            exact = tuple(part for part in any_of if not isinstance(part, Corrected))
            if len(exact) == len(any_of):
                return Everything()
            return Combined(any_of=exact) if exact else Nothing()
        case _:
            return Everything()
