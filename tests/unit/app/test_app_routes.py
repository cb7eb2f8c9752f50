import pytest

from app.cli.routes import ROUTES
from mcp_server.feature import operations_of
from mcp_server.features.all import FEATURES

OPERATIONS = {operation.name: operation for operation in operations_of(FEATURES)}


@pytest.mark.parametrize("name", ROUTES)
def test_commands_call_an_operation_where_it_is(name: str) -> None:
    route = OPERATIONS[name].route
    assert (ROUTES[name].method, ROUTES[name].path) == (route.method, route.path)
