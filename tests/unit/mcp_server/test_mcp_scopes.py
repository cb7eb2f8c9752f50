"""The scope that each operation needs, as the teams' contract has it."""

from tests.operations import OPERATIONS
from tests.scopes import SCOPE_OF


def test_each_operation_needs_the_scope_of_its_kind() -> None:
    assert {each.name: each.scope for each in OPERATIONS} == SCOPE_OF
