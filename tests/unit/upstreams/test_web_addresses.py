"""Tracking parameters go, every other byte of an address stays."""

import time
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcp_server.features.web.provider.addresses import is_web_address, is_within, tracking_spans, without_tracking
from mcp_server.features.web.provider.removal import remove

STEADY = settings(
    deadline=None, derandomize=True, database=None, max_examples=300, suppress_health_check=list(HealthCheck)
)


@pytest.mark.parametrize(
    ("url", "left"),
    [
        ("https://a.org/reef?id=7&utm_source=openai", "https://a.org/reef?id=7"),
        ("https://a.org/reef?utm_source=openai", "https://a.org/reef"),
        ("https://a.org/reef?utm_source=openai#part", "https://a.org/reef#part"),
        ("https://a.org/?ref=x&b=2&fbclid=1&a=1&gclid=2&msclkid=3&mc_cid=4&mc_eid=5", "https://a.org/?b=2&a=1"),
        ("https://a.org/?UTM_Medium=x&a=1", "https://a.org/?a=1"),
        ("https://a.org/?utm%5Fsource=x&a=1", "https://a.org/?a=1"),
        ("https://a.org/?ref&a", "https://a.org/?a"),
        ("https://a.org/?q=a%20b+c&q=%C3%A9&ref=1&empty=&&x", "https://a.org/?q=a%20b+c&q=%C3%A9&empty=&&x"),
        ("https://a.org/?reference=1&href=2&preutm_source=3", "https://a.org/?reference=1&href=2&preutm_source=3"),
        ("https://a.org/?", "https://a.org/?"),
        ("https://a.org/#?utm_source=x", "https://a.org/#?utm_source=x"),
        ("https://a.org/utm_source=x", "https://a.org/utm_source=x"),
        ("https://a.org/?next=https://b.org/?utm_source=x", "https://a.org/?next=https://b.org/?utm_source=x"),
    ],
)
def test_only_tracking_parameters_are_removed(url: str, left: str) -> None:
    assert without_tracking(url) == left


@STEADY
@given(st.text("abcREF=&%?#/_+;é", max_size=40))
def test_what_has_no_tracking_name_stays_byte_for_byte(rest: str) -> None:
    url = f"https://a.org/x?{rest}"
    names = {part.partition("=")[0].lower() for part in url.partition("#")[0].partition("?")[2].split("&")}
    if "ref" not in names and "%" not in rest and "+" not in rest:
        assert without_tracking(url) == url
    assert without_tracking(without_tracking(url)) == without_tracking(url)


T = "utm_source=openai"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"Grow. ([a.org](https://a.org/x?{T}))", "Grow. ([a.org](https://a.org/x))"),
        (f"Grow ([a.org](https://a.org/x?{T})).", "Grow ([a.org](https://a.org/x))."),
        (f"([a](https://a.org?{T}),[b](https://b.org/?{T}&id=1))", "([a](https://a.org),[b](https://b.org/?id=1))"),
        (f"[https://a.org/?{T}](https://a.org/?{T})", "[https://a.org/](https://a.org/)"),
        (f"see https://a.org/?{T}, https://b.org/?id=1&{T}; and", "see https://a.org/, https://b.org/?id=1; and"),
        (f"see https://a.org/?{T}. Next?", "see https://a.org/. Next?"),
        (f"**https://a.org/?{T}** _https://a.org/?{T}_", "**https://a.org/** _https://a.org/_"),
        (f'<https://a.org/?{T}#part> "https://a.org/?{T}"', '<https://a.org/#part> "https://a.org/"'),
        (f"(see https://a.org/w_(b)?{T})", "(see https://a.org/w_(b))"),
        (f"|https://a.org/?{T}|`www.a.org/?b=2&{T}&c=3`", "|https://a.org/|`www.a.org/?b=2&c=3`"),
        (f"https://a.org/?{T}\uff0cand https://a.org/?{T}\u3002", "https://a.org/\uff0cand https://a.org/\u3002"),
        (f"HTTPS://A.org/?ref=1&fbclid=2&gclid=3&msclkid=4&mc_cid=5&mc_eid=6&{T}!", "HTTPS://A.org/!"),
        ("https://a.org/?z=1&a=%20b&ref=c&a=2", "https://a.org/?z=1&a=%20b&a=2"),
        (f"not an address: ?{T}&ref=1, xhttps://a.org/?{T}", f"not an address: ?{T}&ref=1, xhttps://a.org/?{T}"),
        ("ref=1 is a parameter, utm_source too?", "ref=1 is a parameter, utm_source too?"),
    ],
)
def test_addresses_in_a_text_lose_their_tracking_and_nothing_else(text: str, left: str) -> None:
    assert remove(text, tracking_spans(text))[0] == left


@STEADY
@given(st.lists(st.sampled_from(["https://a.org/", "?", "&", "utm_x=1", "id=2", "(", ")", "[", "]", " ", ".", "#"])))
def test_removed_spans_are_in_order_and_leave_nothing_to_remove(parts: list[str]) -> None:
    text = "".join(parts)
    spans = list(tracking_spans(text))
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    left, shifted = remove(text, spans)
    assert list(tracking_spans(left)) == []
    moved = [shifted(index) for index in range(len(text) + 1)]
    assert moved == sorted(moved)
    assert (moved[0], moved[-1]) == (0, len(left))


@pytest.mark.parametrize("part", ["https://a)", "https://a(", "https://a?utm_x=1&", "[https://a](", "www."])
def test_long_texts_are_read_once(part: str) -> None:
    text = part * 50_000
    started = time.process_time()
    remove(text, tracking_spans(text))
    assert time.process_time() - started < 10


@pytest.mark.parametrize(
    ("url", "web"),
    [
        ("https://a.org", True),
        ("HTTP://a.org/x y", False),
        ("HTTP://a.org/xy", True),
        ("https://...", True),
        ("https://", False),
        ("https:///path", False),
        ("javascript:alert(1)", False),
        ("data:text/html,x", False),
        ("ftp://a.org/", False),
        ("/reef", False),
        ("", False),
        ("https://a.org/\nx", False),
    ],
)
def test_only_whole_web_addresses_are_sources(url: str, web: bool) -> None:
    assert is_web_address(url) is web


@pytest.mark.parametrize(
    ("url", "inside"),
    [
        ("https://example.com", True),
        ("https://EXAMPLE.com:8080/x", True),
        ("https://www.example.com./x?y#z", True),
        ("https://user:secret@example.com/", True),
        ("https://example.com?x=/", True),
        ("https://notexample.com/", False),
        ("https://example.com.evil.org/", False),
        ("https://evil.org/example.com", False),
        ("https://evil.org/@example.com", False),
        ("https://example.org/", False),
    ],
)
def test_a_domain_holds_all_that_lies_below_it(url: str, inside: bool) -> None:
    assert is_within(url, ["example.com"]) is inside
