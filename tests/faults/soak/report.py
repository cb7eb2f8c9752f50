"""What came of a soak, as a table that can be put into docs/resilience.md."""

from collections import Counter
from dataclasses import dataclass, field

from tests.faults.ledger import Differences
from tests.faults.soak.memory import MEGABYTE, Memory
from tests.faults.soak.sizes import Sizes

_SHOWN = 10
"""Details of each kind that are printed."""


@dataclass(slots=True)
class Report:
    """Counts and details; `is_good` decides the exit code."""

    engine: str
    seconds: float
    seed: int
    written: int = 0
    deleted: int = 0
    archived: int = 0
    cited: int = 0
    searches: int = 0
    differences: Differences = field(default_factory=Differences)
    wrong_answers: list[str] = field(default_factory=list)
    hung_jobs: list[str] = field(default_factory=list)
    jobs: int = 0
    failed_calls: Counter[str] = field(default_factory=Counter)
    strikes: Counter[str] = field(default_factory=Counter)
    moments: list[str] = field(default_factory=list)
    memory: dict[str, Memory] = field(default_factory=dict)
    sizes: Sizes | None = None
    """None: not measured."""
    left_out: list[str] = field(default_factory=list)
    """Strikes that this machine does not allow."""

    @property
    def problems(self) -> dict[str, list[str]]:
        found = {
            "lost": self.differences.lost,
            "wrong": self.differences.wrong,
            "undead": self.differences.undead,
            "wrong answers": self.wrong_answers,
            "jobs that hang": self.hung_jobs,
        }
        return {name: details for name, details in found.items() if details}

    @property
    def is_good(self) -> bool:
        return not self.problems

    def table(self) -> str:
        """Return it as Markdown."""
        rows = [
            ("run", f"{self.engine}, {self.seconds / 60:.1f} minutes, seed {self.seed}"),
            (
                "acknowledged",
                f"{self.written} writes, {self.deleted} deletions, {self.archived} files in jobs that ended well",
            ),
            ("lost", len(self.differences.lost)),
            ("wrong", len(self.differences.wrong)),
            ("undead", len(self.differences.undead)),
            ("wrong answers", len(self.wrong_answers)),
            ("jobs", f"{self.jobs}, of which {len(self.hung_jobs)} hang"),
            ("searches that found everything", f"{self.searches}, and {self.cited} citations"),
            ("failed calls", _counted(self.failed_calls)),
            ("strikes", f"{self.strikes.total()}: {_counted(self.strikes)}"),
            ("left out", ", ".join(self.left_out) or "nothing"),
            *((f"memory of {kind}", _memory(memory)) for kind, memory in sorted(self.memory.items())),
            ("disk", _disk(self.sizes)),
        ]
        return "\n".join(["| | |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows)])

    def details(self) -> str:
        """Tell what went wrong, to look into."""
        found = {name: details[:_SHOWN] for name, details in self.problems.items()} | {"strikes": self.moments}
        return "\n".join(f"{name} (seed {self.seed}):\n  " + "\n  ".join(told) for name, told in found.items())


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items())) or "none"


def _memory(memory: Memory) -> str:
    flat = "flat" if memory.is_flat else "grew"
    first, last, most = (round(amount / MEGABYTE) for amount in (memory.first, memory.last, memory.most))
    return f"{first} MB, later {last} MB ({flat}), most {most} MB"


def _disk(sizes: Sizes | None) -> str:
    if sizes is None:
        return "not measured"
    ratio = sizes.disk / max(1, sizes.live)
    return f"{sizes.disk / MEGABYTE:.1f} MB, {ratio:.1f} times the live indices ({sizes.live / MEGABYTE:.1f} MB)"
