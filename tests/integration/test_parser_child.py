"""The child process: what breaks it costs one file, and nothing else."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from indexer.archives.parsed import ParsedDocument
from tests.unit.parsers.parser_files import pdf, slow_pdf
from workers.parsers.child.limits import Limits
from workers.parsers.child.parser import Parser
from workers.parsers.failures import ParseFailure

HUNGRY = {"hungry.md": b"\\*a " * 1_000_000, "hungry.html": b"<p>a</p>" * 900_000}
"""Files of a few megabytes whose trees take hundreds."""
DEADLINE = 120.0


@pytest.fixture
def parser() -> Iterator[Parser]:
    with Parser() as opened:
        yield opened


def pid_of(parser: Parser) -> int:
    assert parser._process is not None
    return parser._process.pid


def text_of(result: ParsedDocument | ParseFailure) -> str:
    assert isinstance(result, ParsedDocument), result
    return result.text


def processor_ticks(pid: int) -> int:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return int(fields[11]) + int(fields[12])


def is_gone(pid: int) -> bool:
    """Say whether a process has ended; one that waits to be collected has."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return True
    return state in {"Z", "X"}


def test_a_file_comes_back_whole(parser: Parser) -> None:
    document = parser.parse("a.md", b"---\ntitle: T\ndate: 2025-05-20\n---\n# H\n\nSee [b](b.md).\n")

    assert isinstance(document, ParsedDocument)
    assert (document.title, document.date, document.text) == ("T", "2025-05-20", "H\n\nSee b.")
    assert document.links[0].target == "b.md"
    assert document.places[1].heading == "H"


def test_one_child_reads_many_files_in_order(parser: Parser) -> None:
    parser.parse("first.md", b"first")
    pid = pid_of(parser)
    results = parser.parse_many([(f"{number}.md", b"text %d" % number) for number in range(200)])

    assert [text_of(result) for result in results] == [f"text {number}" for number in range(200)]
    assert pid_of(parser) == pid


def test_every_kind_is_read_inside(parser: Parser) -> None:
    results = list(
        parser.parse_many(
            [("a.pdf", pdf([["pdf"]])), ("a.html", b"<p>html"), ("a.txt", b"text"), ("a.md", b"*md*"), ("a.exe", b"x")]
        )
    )

    assert [text_of(result) for result in results[:4]] == ["pdf", "html", "text", "md"]
    assert results[4] == ParseFailure("is not a kind of file that can be read (md, html, pdf, docx, txt, …)")


def test_nothing_to_read_starts_no_child(parser: Parser) -> None:
    assert list(parser.parse_many([])) == []
    assert parser._process is None


def test_a_file_that_takes_too_long_costs_only_itself() -> None:
    with Parser(Limits(seconds=5)) as parser:
        results = list(
            parser.parse_many([("a.md", b"before"), ("slow.pdf", slow_pdf()), ("b.md", b"after"), ("c.md", b"last")])
        )

    assert results[1] == ParseFailure("took longer than 5 s to read")
    assert [text_of(results[index]) for index in (0, 2, 3)] == ["before", "after", "last"]


@pytest.mark.parametrize("name", HUNGRY)
def test_a_file_that_needs_too_much_memory_costs_only_itself(name: str) -> None:
    with Parser(Limits(seconds=DEADLINE, memory=100_000_000)) as parser:
        parser.parse("first.md", b"first")
        pid = pid_of(parser)
        results = list(parser.parse_many([("a.md", b"before"), (name, HUNGRY[name]), ("b.md", b"after")]))

        assert results[1] == ParseFailure("needed more than 100 MB of memory")
        assert [text_of(results[index]) for index in (0, 2)] == ["before", "after"]
        assert pid_of(parser) != pid


def test_a_file_that_crashes_the_reader_twice_is_named_and_the_rest_goes_on() -> None:
    with Parser(Limits(seconds=DEADLINE)) as parser:
        seen: dict[int, int] = {}
        killed: set[int] = set()

        def kill_two_at_work() -> None:
            end = time.monotonic() + DEADLINE
            while len(killed) < 2 and time.monotonic() < end:
                process = parser._process
                if process is None or process.pid in killed:
                    continue
                # A child is in its pipes' hands until it has begun to compute; then it is reading the slow file.
                ticks = processor_ticks(process.pid)
                if ticks > seen.setdefault(process.pid, ticks) + 10:
                    killed.add(process.pid)
                    os.kill(process.pid, signal.SIGKILL)

        parser.parse("first.md", b"first")
        killer = threading.Thread(target=kill_two_at_work)
        killer.start()
        results = list(parser.parse_many([("slow.pdf", slow_pdf()), ("a.md", b"after")]))
        killer.join()

    assert results[0] == ParseFailure("the reader crashed")
    assert text_of(results[1]) == "after"


def test_a_child_that_died_between_two_files_is_replaced_silently(parser: Parser) -> None:
    parser.parse("a.md", b"first")
    pid = pid_of(parser)
    os.kill(pid, signal.SIGKILL)

    assert text_of(parser.parse("b.md", b"second")) == "second"
    assert pid_of(parser) != pid


def test_large_files_are_refused_unread_in_their_turn() -> None:
    files = [
        ("a.txt", b"x" * 1_001),
        ("b.txt", b"y"),
        ("c.txt", b"z" * 1_001),
        ("d.txt", b"w"),
        ("e.txt", b"v" * 1_001),
    ]
    with Parser(Limits(file_bytes=1_000)) as parser:
        results = list(parser.parse_many(files))

    assert results[::2] == [ParseFailure("is larger than 0.001 MB")] * 3
    assert [text_of(result) for result in results[1::2]] == ["y", "w"]


def test_the_child_is_given_more_while_the_caller_is_busy_with_an_answer(parser: Parser) -> None:
    asked: list[int] = []

    def files() -> Iterator[tuple[str, bytes]]:
        for number in range(100):
            asked.append(number)
            yield f"{number}.md", b"text"

    results = parser.parse_many(files())
    next(results)
    assert 1 < len(asked) <= 100

    pid = pid_of(parser)
    assert len(list(results)) == 99
    assert pid_of(parser) == pid


def test_a_caller_that_stops_half_way_spoils_nothing(parser: Parser) -> None:
    results = parser.parse_many((f"{number}.md", b"old %d" % number) for number in range(100))
    assert text_of(next(results)) == "old 0"
    results.close()

    assert [text_of(result) for result in parser.parse_many([("a.md", b"new")])] == ["new"]


def test_a_caller_may_interrupt_a_file_that_takes_long(parser: Parser) -> None:
    is_over = threading.Event()

    def interrupt() -> None:
        if is_over.is_set():
            raise LookupError

    results = parser.parse_many([("a.md", b"old"), ("slow.pdf", slow_pdf()), ("b.md", b"after")], interrupt)
    assert text_of(next(results)) == "old"
    is_over.set()
    with pytest.raises(LookupError):
        next(results)

    assert text_of(parser.parse("b.md", b"new")) == "new"


def test_files_that_cannot_be_had_spoil_nothing(parser: Parser) -> None:
    def files() -> Iterator[tuple[str, bytes]]:
        yield "a.md", b"old"
        raise LookupError

    with pytest.raises(LookupError):
        list(parser.parse_many(files()))

    assert text_of(parser.parse("b.md", b"new")) == "new"


def test_a_file_of_many_megabytes_passes_through_the_pipe(parser: Parser) -> None:
    data = b"line of text\n" * 750_000

    assert len(text_of(parser.parse("a.txt", data))) == len(data) - 1


def test_the_child_ends_with_close_and_another_starts_after(parser: Parser) -> None:
    parser.parse("a.md", b"first")
    pid = pid_of(parser)
    parser.close()

    assert is_gone(pid)
    assert text_of(parser.parse("b.md", b"second")) == "second"


def test_threads_take_turns(parser: Parser) -> None:
    results: dict[int, list[ParsedDocument | ParseFailure]] = {}

    def read(number: int) -> None:
        results[number] = list(
            parser.parse_many([(f"{index}.md", b"%d of %d" % (index, number)) for index in range(50)])
        )

    threads = [threading.Thread(target=read, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    for number in range(4):
        assert [text_of(result) for result in results[number]] == [f"{index} of {number}" for index in range(50)]


def test_the_child_sees_no_secrets_and_writes_no_files(parser: Parser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAWL_SECRET_KEY", "canary")
    parser.parse("a.md", b"first")
    pid = pid_of(parser)
    limits = Path(f"/proc/{pid}/limits").read_text("utf-8")
    bounds = {line[:26].strip(): line[26:].split()[0] for line in limits.splitlines()[1:]}

    assert b"canary" not in Path(f"/proc/{pid}/environ").read_bytes()
    assert bounds["Max file size"] == bounds["Max core file size"] == bounds["Max processes"] == "0"
    assert int(bounds["Max address space"]) > Limits().memory
    assert int(bounds["Max cpu time"]) < 60


def test_files_of_the_worker_are_not_open_in_the_child(parser: Parser, tmp_path: Path) -> None:
    with (tmp_path / "open").open("wb") as kept:
        os.set_inheritable(kept.fileno(), True)
        parser.parse("a.md", b"first")
        opened = [link.readlink() for link in Path(f"/proc/{pid_of(parser)}/fd").iterdir()]

    assert tmp_path / "open" not in opened


def test_a_forked_process_gets_its_own_child(parser: Parser) -> None:
    parser.parse("a.md", b"first")
    pid = pid_of(parser)
    forked = os.fork()
    if forked == 0:
        second = parser.parse("b.md", b"second")
        other = pid_of(parser) != pid
        parser.close()
        os._exit(0 if other and isinstance(second, ParsedDocument) else 1)
    _, status = os.waitpid(forked, 0)

    assert status == 0
    assert text_of(parser.parse("c.md", b"third")) == "third"
    assert pid_of(parser) == pid


def test_the_child_dies_with_its_parent() -> None:
    reading, writing = os.pipe()
    forked = os.fork()
    if forked == 0:
        parser = Parser()
        parser.parse("a.md", b"first")
        os.write(writing, str(pid_of(parser)).encode())
        os.kill(os.getpid(), signal.SIGKILL)
    os.close(writing)
    pid = int(os.read(reading, 100))
    os.close(reading)
    os.waitpid(forked, 0)
    end = time.monotonic() + DEADLINE
    while not is_gone(pid) and time.monotonic() < end:
        os.sched_yield()

    assert is_gone(pid)
