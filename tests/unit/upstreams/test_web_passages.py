"""The sentence or line that a marker stands behind."""

import re
import time

import pytest

from mcp_server.features.web.provider.passages import Passages

LINK = re.compile(r"\[[^\[\]]*\]\((?:[^()]|\([^()]*\))*\)")
A, B, C = "([a.org](https://a.org/x))", "([b.org](https://b.org/))", "([c.org](https://c.org/))"


def supported(text: str) -> list[str]:
    """Return the passage of each link in a text."""
    spans = [match.span() for match in LINK.finditer(text)]
    passages = Passages(text, spans)
    return [passages.supported_by(span) for span in spans]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"Reefs grow. {A} Fish swim. {B}", ["Reefs grow.", "Fish swim."]),
        (f"Reefs grow {A}. Fish swim {B}!", ["Reefs grow.", "Fish swim!"]),
        (f"Crabs run. Reefs grow. {A}", ["Reefs grow."]),
        (f"Reefs grow. {A}{B} {C}", ["Reefs grow."] * 3),
        (f"Reefs grow. {A}, {B}; {C}.", ["Reefs grow."] * 3),
        ("Reefs grow. ([a](https://a.org), [b](https://b.org))", ["Reefs grow."] * 2),
        (f"Reefs grow, {A} and fish swim. {B}", ["Reefs grow, and fish swim."] * 2),
        (f"Reefs grow\n{A}\nFish swim", ["Reefs grow"]),
        (f"Crabs run. Reefs grow.\n\n  {A}", ["Reefs grow."]),
        (f"{A} Reefs grow. Fish swim.", ["Reefs grow."]),
        (f"Crabs run.\n{A} Reefs grow.", ["Reefs grow."]),
        (f"{A}\nReefs grow.", ["Reefs grow."]),
        (f"reefs without any end {A}", ["reefs without any end"]),
        (f"# Reefs {A}\n\nFish swim.", ["Reefs"]),
        (f"- Reefs grow. {A}\n* Fish swim {B}\n1. Crabs run. {C}", ["Reefs grow.", "Fish swim", "Crabs run."]),
        (f"- Reefs grow\n- {A}", ["Reefs grow"]),
        (f"> 2) Reefs grow {A}", ["Reefs grow"]),
        (f"**Reefs.** They grow. {A}", ["They grow."]),
        (f"**Reefs grow. Fish swim.** {A}", ["Fish swim."]),
        (f"**Reefs** grow. {A}", ["**Reefs** grow."]),
        (f"It rose by 3.5 % to 1,000.25 in v2.0 of it. {A}", ["It rose by 3.5 % to 1,000.25 in v2.0 of it."]),
        (
            f"Off the U.S. Virgin Islands, e.g. St. John, ca. 5 km. {A}",
            ["Off the U.S. Virgin Islands, e.g. St. John, ca. 5 km."],
        ),
        (f"J. R. Smith et al. Found it. {A}", ["J. R. Smith et al. Found it."]),
        (f"Dr. Lee said on Jan. 5: vs. No. 7. {A}", ["Dr. Lee said on Jan. 5: vs. No. 7."]),
        (f"He asked why... then left. {A}", ["He asked why... then left."]),
        (f"Really?! Yes. {A}", ["Yes."]),
        (f'She said "reefs grow." {A} They do. {B}', ['She said "reefs grow."', "They do."]),
        (
            f"\u73ca\u745a\u589e\u957f\u3002{A}\u9c7c\u5728\u6e38\u3002{B}",
            ["\u73ca\u745a\u589e\u957f\u3002", "\u9c7c\u5728\u6e38\u3002"],
        ),
        ("Reefs grow. [a.org](https://a.org/) Fish swim. [1](https://b.org/)", ["Reefs grow.", "Fish swim."]),
        ("Reefs grow [a.org](https://a.org/).", ["Reefs grow."]),
        ("As [a.org](https://a.org/), says: reefs grow.", ["As a.org, says: reefs grow."]),
        ("Says [Coral Watch](https://a.org/w_(b)): reefs grow. Yes.", ["Says Coral Watch: reefs grow."]),
        ("- [A title](https://a.org/)\n  Reefs grow.", ["A title"]),
        (A, [""]),
        (f"- {A}\n- {B}", ["", ""]),
    ],
)
def test_a_marker_supports_the_sentence_or_line_before_it(text: str, expected: list[str]) -> None:
    assert supported(text) == expected


@pytest.mark.parametrize(
    ("text", "cited", "passage"),
    [
        ("Reefs grow (a.example). Fish.", "(a.example)", "Reefs grow."),
        ("Reefs grow (a.example). Fish.", "a.example", "Reefs grow."),
        ("Reefs grow.[1] Fish.", "[1]", "Reefs grow."),
        ("Reefs grow. \u30101\u2020source\u3011 Fish.", "\u30101\u2020source\u3011", "Reefs grow."),
        ("Reefs grow. https://a.example/x Fish.", "https://a.example/x", "Reefs grow."),
        ("Crabs. Reefs grow fast. Fish.", "grow", "Reefs grow fast."),
        ("Crabs. Reefs grow. Fish swim. No.", "grow. Fish", "Reefs grow. Fish swim."),
        ("Reefs grow (31 % more) now. Fish.", "(31 % more)", "Reefs grow (31 % more) now."),
    ],
)
def test_what_is_cited_may_be_another_marker_or_words(text: str, cited: str, passage: str) -> None:
    start = text.index(cited)
    span = (start, start + len(cited))
    assert Passages(text, [span]).supported_by(span) == passage


@pytest.mark.parametrize(
    "part", ["[a](", "([a](u)", " ", "[", "(", "a.", "([a](u)) ", "- ", "**", "U.S. ", "[a.b", "...", "# "]
)
def test_long_texts_are_read_once(part: str) -> None:
    text = part * 50_000
    started = time.process_time()
    Passages(text, [(0, 1)]).supported_by((0, 1))
    assert time.process_time() - started < 10
