"""The short cut must never disagree with markdown-it."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from workers.parsers.markdown import blocks as markdown
from workers.parsers.markdown import quick_inline
from workers.parsers.markdown.inline import render_inline

MARKS = list(".,!?:()[]<>&;#/\\*_`~^|\n ")
PARTS = ["a", "b", "word", "é", "10", "a_b", "x@y.z", "**", "***", "__", "``", "~~", "  ", "\n  "]
FORMS = ["`code`", "` a `", "[t](u.md)", "[`c`](u)", "**bold**", "*it*", "<https://a.org/b>", "**.N**", "**a:** "]
OTHERS = ["&amp;", "![i](s)", "[[w]]", "[^1]", "<br>", "<b>", "[t](u 'v')", "[t][r]"]
PIECES = st.sampled_from([*MARKS, *PARTS, *FORMS, *FORMS, *OTHERS])


@settings(
    deadline=None, derandomize=True, database=None, max_examples=500, suppress_health_check=[HealthCheck.too_slow]
)
@given(st.lists(PIECES, max_size=14).map("".join))
def test_where_it_answers_it_answers_as_markdown_it_does(content: str) -> None:
    quick = quick_inline.parse_inline(content)
    if quick is None:
        return
    parser = markdown._markdown_it()
    environment: dict[str, object] = {}
    whole = render_inline(parser.inline.parse(content, parser, environment, []), environment)

    assert (quick.text, list(quick.spans)) == (whole.text, list(whole.spans))


def test_it_answers_for_what_most_paragraphs_have() -> None:
    quick = quick_inline.parse_inline(
        "Plain **bold:** *it* `a*b`, [one](a.md), [`two`](b.md) and <https://c.org> snake_case"
    )

    assert quick is not None
    assert quick.text == "Plain bold: it a*b, one, two and https://c.org snake_case"
    assert [span.target for span in quick.spans] == ["a.md", "b.md", "https://c.org"]


def test_it_leaves_the_rest_to_markdown_it() -> None:
    for content in ("[ref][r]", "\\*", "![i](s)", "&amp;", "**a *b* c**", "<br>", "[[w]]", "``a``", "[a](b 'c')"):
        assert quick_inline.parse_inline(content) is None
