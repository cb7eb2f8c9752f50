"""The team of a request: callers of several teams choose one by the header `Trawl-Team` or by `?team=`."""

from collections.abc import Sequence
from typing import Final
from urllib.parse import unquote_plus

from starlette.datastructures import Headers, QueryParams
from starlette.types import Scope

from indexer.errors import Authorization
from indexer.tenancy import TeamId

_HEADER: Final = "trawl-team"
_PARAMETER: Final = "team"


class TeamNotChosen(Authorization):
    """The caller chose none of its teams. One that is not its own is refused like one that does not exist."""

    def __init__(self, teams: Sequence[TeamId]) -> None:
        self.teams = tuple(teams)
        names = ", ".join(teams)
        super().__init__(
            "Choose one of your teams" if teams else "You are in no team of this service",
            action=f"Send the header Trawl-Team, or ?team= in the address, with one of: {names}"
            if teams
            else "Ask the operator to put you into a team at the place where you sign in",
            details={"teams": list(teams)},
        )


def requested_team(scope: Scope) -> str | None:
    """Return the team that a request names; names that differ are no choice."""
    names = set(Headers(scope=scope).getlist(_HEADER))
    if scope["query_string"]:
        names.update(QueryParams(scope["query_string"]).getlist(_PARAMETER))
    return names.pop() if len(names) == 1 else "" if names else None


def choose_team(teams: Sequence[TeamId], requested: str | None) -> TeamId:
    """Return the requested team, or the only one; `TeamNotChosen` tells a caller of several which there are."""
    if requested is None and len(teams) == 1:
        return teams[0]
    for team in teams:
        if team == requested:
            return team
    raise TeamNotChosen(teams)


def in_team(scope: Scope, team: TeamId) -> Scope:
    """Return the request as if it had chosen this team."""
    others = [(name, value) for name, value in scope["headers"] if name.lower() != _HEADER.encode()]
    chosen: Scope = {**scope, "headers": [*others, (_HEADER.encode(), team.encode())]}
    drop_team_parameter(chosen)
    return chosen


def drop_team_parameter(scope: Scope) -> None:
    """Remove the choice from the address: it is no argument of an operation."""
    if not scope["query_string"]:
        return
    pairs: list[bytes] = scope["query_string"].split(b"&")
    scope["query_string"] = b"&".join(pair for pair in pairs if _name(pair) != _PARAMETER)


def _name(pair: bytes) -> str:
    return unquote_plus(pair.partition(b"=")[0].decode("latin-1"))
