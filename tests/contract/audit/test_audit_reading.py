"""The trail as it is shown: one record per call, by time."""

from itertools import pairwise

from indexer.audit.reading import AuditEntry, read_page
from indexer.audit.record import UNKNOWN
from indexer.engines.audit_port import LogFilter
from tests.contract.audit.trails import Kept, record


def pages(kept: Kept, wanted: LogFilter, limit: int) -> list[AuditEntry]:
    """Read page after page, newest first."""
    found: list[AuditEntry] = []
    page, after = read_page(kept.log, wanted, after=None, limit=limit)
    found += page
    while after is not None:
        assert len(page) == limit
        page, after = read_page(kept.log, wanted, after=after, limit=limit)
        found += page
    return found


def test_a_record_is_shown_as_it_was(kept: Kept) -> None:
    chain = kept.chain()
    chain.add([record(at=1_000_000_000.1239, object="notes/é")])
    chain.store()
    assert kept.shown() == [
        {
            "time": "2001-09-09T01:46:40.123Z",
            "team": "red",
            "subject": "ada",
            "client": "curl/8",
            "address": "192.0.2.7",
            "operation": "search_index",
            "object": "notes/é",
            "outcome": "ok",
            "duration_ms": 12,
            "bytes": 3,
        }
    ]


def test_a_call_that_has_ended_is_one_record_and_one_that_has_not_is_unknown(kept: Kept) -> None:
    one, other = kept.chain(), kept.chain()
    for chain in (one, other):
        for call in range(1, 6):
            begun = record(call=call, at=1_000.0 + call % 2, outcome=UNKNOWN, has_ended=False, object=str(call))
            chain.add([begun] if call == 3 else [begun, record(call=call, at=begun.at, object=str(call))])
        chain.store()
    everything = pages(kept, LogFilter(team="red"), 1)
    assert sorted(each["object"] for each in everything) == sorted("1122334455")
    assert [each["outcome"] for each in everything if each["object"] == "3"] == [UNKNOWN] * 2
    for limit in (2, 3, 100):
        assert pages(kept, LogFilter(team="red"), limit) == everything
    assert kept.shown() == everything[::-1]
    assert all(later["time"] >= earlier["time"] for later, earlier in pairwise(everything))
    assert len(pages(kept, LogFilter(outcome=UNKNOWN), 1)) == 2
    assert len(pages(kept, LogFilter(outcome="ok"), 3)) == 8


def test_names_too_long_or_not_printable_are_made_fit(kept: Kept) -> None:
    chain = kept.chain()
    chain.add([record(object="x" * 5_000, subject="a\nb\ud800", client="\x00" * 900)])
    chain.store()
    chain.sign()
    (shown,) = kept.shown()
    assert (len(shown["object"]), len(shown["client"])) == (600, 255)
    assert shown["subject"] == "a�b�"
    assert kept.damage() == []
