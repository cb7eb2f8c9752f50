import json
from pathlib import Path

import pytest

from tests import run

FAILED = '<testcase name="a"><failure/></testcase>'
PASSED = '<testcase name="a"/>'
SKIPPED = '<testcase name="a"><skipped/></testcase>'


class Pytest:
    """Stands for pytest: each run has an exit code, the tests that failed, and a report."""

    def __init__(self, *outcomes: tuple[int, list[str], str]) -> None:
        self.outcomes = list(outcomes)
        self.calls: list[tuple[str, ...]] = []

    def __call__(self, cache: Path, *arguments: str) -> int:
        self.calls.append(arguments)
        code, failed, report = self.outcomes.pop(0)
        remembered = cache / "v" / "cache" / "lastfailed"
        remembered.parent.mkdir(parents=True, exist_ok=True)
        remembered.write_text(json.dumps(dict.fromkeys(failed, True)))
        for argument in arguments:
            if argument.startswith("--junitxml="):
                Path(argument.partition("=")[2]).write_text(f"<testsuites><testsuite>{report}</testsuite></testsuites>")
        return code


def outcome(monkeypatch: pytest.MonkeyPatch, *outcomes: tuple[int, list[str], str]) -> tuple[int, Pytest]:
    stand_in = Pytest(*outcomes)
    monkeypatch.setattr(run, "run_pytest", stand_in)
    monkeypatch.setattr(run, "installation", lambda: None)
    return run.main(["-k", "word"]), stand_in


def test_a_run_without_failures_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    code, stand_in = outcome(monkeypatch, (0, [], ""))
    assert code == 0
    assert len(stand_in.calls) == 1
    assert stand_in.calls[0][-2:] == ("-k", "word")


def test_a_test_that_passes_the_second_time_is_named_unsteady(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, stand_in = outcome(monkeypatch, (1, ["a"], ""), (0, [], PASSED))
    assert code == 0
    assert "--last-failed" in stand_in.calls[1]
    assert "unsteady: a" in capsys.readouterr().out


def test_a_test_that_fails_twice_fails_the_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _ = outcome(monkeypatch, (1, ["a"], ""), (1, ["a"], FAILED))
    assert code == 1
    assert "unsteady" not in capsys.readouterr().out


def test_a_test_that_is_skipped_the_second_time_fails_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    code, _ = outcome(monkeypatch, (1, ["a"], ""), (0, [], SKIPPED))
    assert code == 1


def test_many_failures_are_not_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    code, stand_in = outcome(monkeypatch, (1, list("abcdef"), ""))
    assert code == 1
    assert len(stand_in.calls) == 1


@pytest.mark.parametrize("code", [2, 3, 4, 5])
def test_other_exit_codes_are_passed_on(code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(monkeypatch, (code, ["a"], ""))[0] == code
