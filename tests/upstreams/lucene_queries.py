"""Random queries in Lucene's classic syntax, right and wrong ones, always the same for the same seed."""

from collections.abc import Iterator
from random import Random

WORDS = (
    *("well", "log", "A34", "8690", "2020-01-01", "data.Name", "a-b", "C++", "x_y", "éü", "井戸", "o'neil", "5", "1.5"),
    *("-", "AND", "OR", "NOT", "TO", "&&", "||", "!", "a\\:b", "a\\ b", "\\u0041", "\\u00", "\\", "a,b", "x=1", ">5"),
    *("<=3", "@", "#", "%", "$", "&", "|", ";", "=", "<", ">", "and", "or", "not", "\\*", "\\\\", 'a\\"b', "😀", "~"),
)
FIELDS = ("data.Name", "data.Depth", "id", "kind", "data.SpudDate", "_exists_", "data.\\*", "x", "*", "data\\.Name")
REGEX = (
    *("a", "b", "[", "]", "(", ")", "*", "+", "?", "|", ".", "{1,2}", "{", "}", "\\d", "\\/", "\\", "<1-5>", "<", "~"),
    *("@", "#", "&", '"', "^", "$", "-"),
)
BETWEEN = (" ", " ", " AND ", " OR ", " && ", " || ", " NOT ", " AND NOT ", "\t", "\u3000", "  ", "\n")
NOISE = '"()[]{}:^~*?\\/+-! &|ANDTOu0'


def lucene_queries(seed: int) -> Iterator[str]:
    """Give queries without end; about half of them are changed at random, most of those for the worse."""
    random = Random(seed)
    while True:
        query = _query(random, 3)
        for _ in range(random.choice((0, 0, 0, 1, 1, 2))):
            query = _changed(random, query)
        yield query


def _query(random: Random, depth: int) -> str:
    query = _clause(random, depth)
    for _ in range(random.choice((0, 0, 1, 1, 2, 3))):
        query += random.choice(BETWEEN) + _clause(random, depth)
    return query


def _clause(random: Random, depth: int) -> str:
    sign = random.choice(("+", "-", "!", "NOT ", "+ ", "- ")) if random.random() < 0.12 else ""
    named = random.random() < 0.35
    field = random.choice(FIELDS) + random.choice((":", ":", ":", ":", " :", ": ", "::")) if named else ""
    fuzzy = random.choice(("~", "~1", "~2", "~1.5", "~0.5", "~3", "~AUTO")) if random.random() < 0.08 else ""
    boost = random.choice(("^2", "^1.5", "^0", "^", "^x", "^ 2", "^-1", "^.5")) if random.random() < 0.08 else ""
    return sign + field + _atom(random, depth) + fuzzy + boost


def _atom(random: Random, depth: int) -> str:
    match random.choices(("word", "phrase", "wild", "range", "regex", "group"), (40, 10, 15, 8, 4, 23))[0]:
        case "phrase":
            return '"' + " ".join(_word(random) for _ in range(random.randint(0, 3))) + '"'
        case "wild":
            wild = random.choice(("{}*", "{}?", "{}*x", "{}?x*", "*{}", "?{}"))
            return wild.replace("{}", _word(random))
        case "range":
            low, high = (random.choice((_word(random), "*", '"a b"')) for _ in range(2))
            between = random.choice((" TO ", " TO ", " TO ", " TO ", " to ", "", " "))
            return random.choice("[{") + low + between + high + random.choice("]}")
        case "regex":
            return "/" + "".join(random.choice(REGEX) for _ in range(random.randint(0, 6))) + "/"
        case "group" if depth:
            return "(" + _query(random, depth - 1) + ")"
        case _:
            return _word(random)


def _word(random: Random) -> str:
    if random.random() < 0.5:
        return random.choice(WORDS)
    return "".join(random.choice("abcAN123.-_") for _ in range(random.randint(1, 6)))


def _changed(random: Random, query: str) -> str:
    at = random.randint(0, len(query))
    match random.choice("iiiiddddc"):
        case "i":
            return query[:at] + random.choice(NOISE) + query[at:]
        case "d":
            return query[:at] + query[at + 1 :]
        case _:
            return query[:at] + query[random.randint(0, len(query)) :]
