"""The name of the sandbox's data partition."""

from typing import Final

PARTITION: Final = "sandbox"
