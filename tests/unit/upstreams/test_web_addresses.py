"""Tracking parameters go, every other byte of an address stays."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcp_server.features.web.provider.addresses import is_web_address, is_within, without_tracking

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
