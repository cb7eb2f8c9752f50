"""Texts of answers as the provider writes them, with the markers that cite their sources."""


def marker(host: str, rest: str = "/") -> str:
    """Return what the provider writes behind a sentence, and what its annotation spans; nothing else."""
    return f"([{host}](https://{host}{rest}{'&' if '?' in rest else '?'}utm_source=openai))"


BELIZE_MARKER = marker("belizereef.example", "/?id=7")
CORAL_MARKER = marker("coralwatch.example", "/2025")
PLAIN_TEXT = (
    f"Reefs off Belize have begun to recover. {BELIZE_MARKER} Divers counted 31 % more live coral than in 2019. "
    f"{CORAL_MARKER}"
)
PLAIN_ANSWER = PLAIN_TEXT.replace("&utm_source=openai", "").replace("?utm_source=openai", "")
"""The same as it is returned: without tracking parameters."""
SEED_MARKER = marker("news.example", f"/{'good-' * 19}")
"""As long as the citation in the seed's example."""
SEED_TEXT = ("On March 6, 2025, several news outlets told of good things. " * 60)[
    :2_604
] + f". {SEED_MARKER} And so they did."
ASTRAL_MARKERS = marker("seadragon.example"), marker("atlas.example")
ASTRAL_TEXT = (
    f"\U0001f420\U0001f421 Sea \U0001d4ddragons \U0001f991 live off Tasmania. {ASTRAL_MARKERS[0]} "
    f"\U0001f469\u200d\U0001f467 They are 46 cm long. {ASTRAL_MARKERS[1]}"
)
"""Characters beyond the basic plane, and a joiner of zero width in an emoji."""
HIDDEN_MARKER = "([a.ex\u200bample](https://a.example/?utm_\u200bsource=openai))"
HIDDEN_TEXT = f"Re\u200befs \u202egrow\u202c. {HIDDEN_MARKER}"
MANY_MARKERS = [marker(f"{number}.example") for number in range(20)]
MANY_TEXT = "\n".join(f"- Reef {number} grows. {each}" for number, each in enumerate(MANY_MARKERS))
