"""How far apart two words are."""


def edits_between(one: str, other: str, most: int) -> int | None:
    """Return how many letters must be added, dropped, replaced or swapped with their neighbour; None if over `most`."""
    if abs(len(one) - len(other)) > most:
        return None
    before: list[int] = []
    last: list[int] = []
    current = list(range(len(other) + 1))
    for at, letter in enumerate(one, start=1):
        before, last, current = last, current, [at]
        for place, another in enumerate(other, start=1):
            best = min(current[-1] + 1, last[place] + 1, last[place - 1] + (letter != another))
            if at > 1 and place > 1 and letter == other[place - 2] and one[at - 2] == another:
                best = min(best, before[place - 2] + 1)
            current.append(best)
        if min(current) > most and min(last) > most:
            return None
    return current[-1] if current[-1] <= most else None
