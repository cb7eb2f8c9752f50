"""The form of a token: `trawl_`, 43 random characters, and a checksum of six.

The prefix and the checksum let secret scanners find leaked tokens without false alarms, and let a mistyped one be
refused without a look into the store. 43 of 62 characters hold 256 bits.
"""

import hashlib
import secrets
import zlib
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Final

PREFIX: Final = "trawl_"
_ALPHABET: Final = digits + ascii_uppercase + ascii_lowercase
_RANDOM_LENGTH: Final = 43
_CHECKSUM_LENGTH: Final = 6
_LENGTH: Final = len(PREFIX) + _RANDOM_LENGTH + _CHECKSUM_LENGTH


def new_token() -> str:
    """Return a new random token."""
    random = "".join(secrets.choice(_ALPHABET) for _ in range(_RANDOM_LENGTH))
    return PREFIX + random + _checksum(random)


def is_well_formed(token: str) -> bool:
    """Say whether this can be a token that was issued; an attacker learns nothing from it."""
    if len(token) != _LENGTH or not token.startswith(PREFIX) or not token.isascii():
        return False
    random, checksum = token[len(PREFIX) : -_CHECKSUM_LENGTH], token[-_CHECKSUM_LENGTH:]
    return checksum == _checksum(random)


def token_digest(token: str) -> str:
    """Return what is stored of a token. It has 256 random bits, so it needs neither salt nor a slow hash."""
    return hashlib.sha256(token.encode()).hexdigest()


def _checksum(random: str) -> str:
    number = zlib.crc32(random.encode())
    characters = []
    for _ in range(_CHECKSUM_LENGTH):
        number, index = divmod(number, len(_ALPHABET))
        characters.append(_ALPHABET[index])
    return "".join(reversed(characters))
