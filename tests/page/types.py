"""`python -m tests.page.types`: check the types of the page's modules, which stand in their comments."""

import sys

from app.page.files import FOLDER
from tests.clients.packages import PackagesUnavailable, installed_packages, node

SECONDS = 120


def main() -> int:
    try:
        packages = installed_packages()
    except PackagesUnavailable as error:
        print(error, file=sys.stderr)
        return 1
    ended = node(
        packages / "typescript" / "bin" / "tsc", "-p", FOLDER / "jsconfig.json", folder=packages, timeout=SECONDS
    )
    print(ended.stdout, end="")
    return ended.returncode


if __name__ == "__main__":
    sys.exit(main())
