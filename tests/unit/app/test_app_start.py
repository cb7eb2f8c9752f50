import subprocess
import sys

HEAVY = ("boto3", "celery", "elasticsearch_dsl", "httpx", "mcp", "mcp_types", "openai", "opensearchpy", "redis")


def test_the_service_starts_without_the_libraries_that_its_first_search_does_not_need() -> None:
    program = f"import sys, app.cli.commands.serve; print([name for name in {HEAVY!r} if name in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert loaded.stdout.strip() == "[]"
