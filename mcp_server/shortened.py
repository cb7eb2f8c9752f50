"""What the text of a search result says if hits were shortened, for their level of detail or to fit `max_chars`."""

from typing import Final

MORE: Final = 'Shortened; for more: detail="full", max_chars, {reader}'
