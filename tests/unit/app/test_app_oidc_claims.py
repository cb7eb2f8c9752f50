"""What is read from a token that was verified."""

from typing import Any

import pytest

from app.auth.authentication import InvalidToken
from app.auth.oidc.claims import VerifiedToken, read_claims


def read(**claims: Any) -> VerifiedToken:
    return read_claims({"sub": "ann", "exp": 100, **claims}, team_claim="team", scope_claim="scope")


def test_a_bare_token_has_neither_team_nor_scope_nor_client() -> None:
    assert read() == VerifiedToken("ann", (), frozenset(), "", 100)


@pytest.mark.parametrize(
    ("claims", "client"),
    [
        ({"azp": "page", "client_id": "other"}, "page"),
        ({"client_id": "robot"}, "robot"),
        ({"appid": "1f2e"}, "1f2e"),
        ({"azp": 7, "client_id": "robot"}, "robot"),
        ({"azp": "a\nb"}, ""),
        ({"azp": "x" * 500}, "x" * 100),
    ],
)
def test_the_client_is_the_one_that_the_token_was_issued_to(claims: dict[str, Any], client: str) -> None:
    assert read(**claims).client == client


@pytest.mark.parametrize("subject", ["ann", "8ef2790a-32bb", "auth0|5f7c", "svc@example.org", "x" * 255])
def test_a_subject_stays_as_the_issuer_writes_it(subject: str) -> None:
    assert read(sub=subject).subject == subject


@pytest.mark.parametrize(
    "subject", ["", " ", "x" * 256, "a\x00b", "anonymous", "nobody", "local", "local:root", "token:t_1"]
)
def test_a_subject_that_could_pass_for_another_is_refused(subject: str) -> None:
    with pytest.raises(InvalidToken):
        read(sub=subject)
