"""Documents that match a query, with their scores, and how several such sets become one."""

from collections.abc import Iterable, Sequence

Matches = dict[int, float]


def constant(documents: Iterable[int], score: float = 1.0) -> Matches:
    """Give all documents the same score."""
    return dict.fromkeys(documents, score)


def boosted(matches: Matches, boost: float) -> Matches:
    """Multiply the scores."""
    return matches if boost == 1 else {document: score * boost for document, score in matches.items()}


def best_of(alternatives: Sequence[Matches]) -> Matches:
    """Return what matches one of these, with the best of its scores."""
    best: Matches = {}
    for matches in alternatives:
        for document, score in matches.items():
            best[document] = max(score, best.get(document, score))
    return best


def combine(
    everything: int,
    *,
    must: Sequence[Matches] = (),
    should: Sequence[Matches] = (),
    must_not: Sequence[Matches] = (),
    filters: Sequence[Matches] = (),
    minimum_should_match: int | None = None,
) -> Matches:
    """Combine clauses as a boolean query does; `everything` is the number of all documents."""
    required = [*must, *filters]
    minimum = (0 if required or not should else 1) if minimum_should_match is None else minimum_should_match
    candidates: Iterable[int] = range(everything)
    if required:
        candidates = set(required[0]).intersection(*required[1:])
    elif minimum > 0:
        candidates = set().union(*should)
    excluded = set().union(*must_not)
    found: Matches = {}
    for document in candidates:
        optional = [matches[document] for matches in should if document in matches]
        if document not in excluded and len(optional) >= minimum:
            found[document] = sum(matches[document] for matches in must) + sum(optional)
    return found
