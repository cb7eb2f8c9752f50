"""Edit distance between two words."""


def edits_between(first: str, second: str, limit: int) -> int | None:
    """Return the number of insertions, deletions, replacements and transpositions; None if it exceeds `limit`."""
    if abs(len(first) - len(second)) > limit:
        return None
    two_rows_up: list[int] = []
    previous: list[int] = []
    current = list(range(len(second) + 1))
    for row, left in enumerate(first, start=1):
        two_rows_up, previous, current = previous, current, [row]
        for column, right in enumerate(second, start=1):
            best = min(current[-1] + 1, previous[column] + 1, previous[column - 1] + (left != right))
            if row > 1 and column > 1 and left == second[column - 2] and first[row - 2] == right:
                best = min(best, two_rows_up[column - 2] + 1)
            current.append(best)
        if min(current) > limit and min(previous) > limit:
            return None
    return current[-1] if current[-1] <= limit else None
