"""The tools, one file per source."""

from mcp_server.tool import Group
from mcp_server.tools.archives import ARCHIVES
from mcp_server.tools.everywhere import EVERYWHERE
from mcp_server.tools.jobs import JOBS
from mcp_server.tools.local_index import LOCAL_INDEX
from mcp_server.tools.osdu import OSDU
from mcp_server.tools.quilt import QUILT
from mcp_server.tools.web import WEB
from mcp_server.tools.web_history import WEB_HISTORY

GROUPS: tuple[Group, ...] = (EVERYWHERE, LOCAL_INDEX, ARCHIVES, JOBS, OSDU, QUILT, WEB, WEB_HISTORY)
"""All groups, in the order in which their tools are listed."""
