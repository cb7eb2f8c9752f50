"""Runs of words in a Lucene query, which are analyzed as one text: `a b` is one value of a keyword field."""

from mcp_server.lucene.tree import Clause, Term


def run_of_words(clauses: list[Clause]) -> list[Clause]:
    """Return the plain words at the beginning that Lucene analyzes together: at least two, or none."""
    run: list[Clause] = []
    for clause, following in zip(clauses, [*clauses[1:], None], strict=True):
        is_last = run and following is not None and (following.operator or _begins_with_star(following))
        if not _is_plain_word(clause) or is_last:
            break
        run.append(clause)
    return run if len(run) > 1 else []


def _is_plain_word(clause: Clause) -> bool:
    node = clause.node
    return (
        not clause.operator
        and not clause.sign
        and isinstance(node, Term)
        and (node.kind, node.field, node.fuzzy, node.boost) == ("word", None, None, 1.0)
        and node.text not in {"+", "-", "!"}
    )


def _begins_with_star(clause: Clause) -> bool:
    node = clause.node
    return node.field == "*" or (isinstance(node, Term) and (node.text, node.field) == ("*", None))
