"""The connections of all teams, read again when their file changes, or the file of a secret.

A file with an error is not used: at the start the process refuses it, later the connections before it stay in force.
"""

import logging
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from indexer.connections.parse import Parsed, WrongConnections, parse
from indexer.connections.secrets import FileState, Secrets, state_of
from indexer.connections.section import Connection, Section, Settings
from indexer.tenancy import TeamId

_log = logging.getLogger(__name__)
_WATCH_SECONDS: Final = 1.0
_STOP_SECONDS: Final = 5.0


@dataclass(frozen=True, slots=True)
class _Reading:
    """What was read from which state of the files; without settings if that failed."""

    parsed: Parsed | None = None
    problem: str | None = None
    files: dict[Path, FileState] = field(default_factory=dict)

    def is_outdated(self) -> bool:
        return not self.files or any(state_of(path) != state for path, state in self.files.items())


class Connections:
    """The settings of some sections, for each team. Safe to use from several threads."""

    def __init__(self, path: Path | None, sections: Sequence[Section[Any]], *, ignore_others: bool = False) -> None:
        """Read the file, or raise `WrongConnections`; `ignore_others` skips the sections that are not given here."""
        self._path = path
        self._sections = sections
        self._ignore_others = ignore_others
        self._lock = threading.Lock()
        self._current = Parsed()
        self._last = _Reading()
        self._stopped = threading.Event()
        self._watch: threading.Thread | None = None
        self.version = 0
        """Rises with each change that is in force."""
        if path is not None:
            self.refresh()
            if self._last.problem is not None:
                raise WrongConnections([self._last.problem])

    @property
    def is_given(self) -> bool:
        """Whether there is a file; without one, the environment holds the settings of all teams."""
        return self._path is not None

    @property
    def problem(self) -> str | None:
        """Why the last change of the file is not in force; it names keys, which no other team may see."""
        return self._last.problem

    def of(self, team: TeamId, section: Section[Settings]) -> Connection[Settings] | None:
        """Return a team's own settings, or else those of all teams; None if there are neither."""
        current = self._current
        own = current.teams.get(team, {}).get(section.name)
        found = current.default.get(section.name) if own is None else own
        return Connection(None if own is None else team, found) if isinstance(found, section.settings) else None

    def all_of(self, section: Section[Settings]) -> Iterator[Connection[Settings]]:
        """Yield all settings of a section."""
        current = self._current
        for owner, settings in ((None, current.default), *current.teams.items()):
            found = settings.get(section.name)
            if isinstance(found, section.settings):
                yield Connection(owner, found)

    def teams(self) -> list[TeamId]:
        """Return the teams that the file names."""
        return sorted(self._current.teams)

    def refresh(self) -> None:
        """Read the file again if it or the file of a secret has changed. Blocking; it does not raise."""
        with self._lock:
            if self._path is None or not self._last.is_outdated():
                return
            self._last = self._read(self._path)
            if self._last.parsed is None:
                _log.warning("The connections could not be read: %s", self._last.problem)
            elif self._last.parsed != self._current:
                self._current = self._last.parsed
                self.version += 1

    def watch(self) -> None:
        """Read changes within about a second from now on, in a thread, because looking at files may block."""
        if self._path is not None and self._watch is None:
            self._watch = threading.Thread(target=self._refresh_often, name="connections", daemon=True)
            self._watch.start()

    def close(self) -> None:
        """Stop watching."""
        self._stopped.set()
        if self._watch is not None:
            self._watch.join(_STOP_SECONDS)

    def _refresh_often(self) -> None:
        while not self._stopped.wait(_WATCH_SECONDS):
            self.refresh()

    def _read(self, path: Path) -> _Reading:
        secrets = Secrets(path.parent)
        # The state is looked up first: a file that changes while it is read is read again.
        state = state_of(path)
        parsed, problem = None, None
        try:
            text = path.read_text(encoding="utf-8")
            parsed = parse(text, self._sections, secrets, ignore_others=self._ignore_others)
        except WrongConnections as error:
            problem = error.problems
        except (OSError, UnicodeDecodeError):
            problem = f"the file {path} cannot be read as text"
        return _Reading(parsed, problem, {path: state, **secrets.files})
