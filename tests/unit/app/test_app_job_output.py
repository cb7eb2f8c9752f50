"""Jobs as a terminal shows them."""

from typing import Any

from app.cli.commands.job_output import render_status

REASON = "no reader for this kind"


def status(**given: Any) -> dict[str, Any]:
    counts = {"found": 1, "indexed": 1, "unchanged": 0, "removed": 0, "failed": 0, "skipped": 0}
    return {
        "job_id": "j_1",
        "kind": "ingest",
        "status": "done",
        "progress": 1.0,
        "error_count": 0,
        "errors": [],
        "skipped": [],
        "skipped_kinds": [],
        **given,
        "counts": {**counts, **given.get("counts", {})},
    }


def kind(name: str, count: int) -> dict[str, Any]:
    return {"kind": name, "count": count, "reason": REASON}


def lines(**given: Any) -> list[str]:
    return render_status(status(**given)).splitlines()[1:]


def test_a_job_without_failed_and_skipped_files_is_one_line() -> None:
    assert render_status(status()) == (
        "j_1  ingest   done       100%  1 found, 1 indexed, 0 unchanged, 0 removed, 0 failed, 0 skipped"
    )


def test_one_file_is_one_file() -> None:
    skipped = [{"path": "notes/a.dwg", "reason": REASON}, {"path": "notes/build/", "reason": "hidden"}]
    assert lines(counts={"skipped": 2}, skipped=skipped, skipped_kinds=[kind(".dwg", 1)]) == [
        "Skipped, no reader for this kind: 1 file (1 .dwg)",
        "Skipped for another reason: 1 file or folder",
        "  notes/build/: hidden",
    ]


def test_kinds_are_counted_in_plain_words() -> None:
    kinds = [kind(".dwg", 1_000), kind("no extension", 2), kind("other", 1)]
    assert lines(counts={"skipped": 1_003}, skipped_kinds=kinds) == [
        "Skipped, no reader for this kind: 1,003 files (1,000 .dwg, 2 with no extension, 1 of other kinds)"
    ]


def test_files_are_shown_by_the_reason_that_they_share() -> None:
    skipped = [{"path": f"{number}.md", "reason": "hidden"} for number in range(5)]
    skipped.insert(1, {"path": "build/", "reason": "left out by .gitignore: build/"})
    assert lines(counts={"skipped": 20}, skipped=skipped) == [
        "Skipped for another reason: 20 files or folders",
        "  0.md, 1.md, 2.md and 2 more: hidden",
        "  build/: left out by .gitignore: build/",
        "  and 14 more",
    ]


def test_failed_files_are_shown_one_by_one_without_control_characters() -> None:
    errors = [{"path": "a\x1b[2J.pdf", "reason": "is broken"}]
    assert lines(counts={"failed": 3}, errors=errors, error_count=3) == [
        "Failed:",
        "  a [2J.pdf: is broken",
        "  and 2 more",
    ]
