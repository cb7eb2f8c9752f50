"""Whole Responses objects, one of every shape that the endpoint gives; `RESPONSES` has them by name."""

from typing import Any

from tests.upstreams.openai_texts import (
    ASTRAL_MARKERS,
    ASTRAL_TEXT,
    BELIZE_MARKER,
    CORAL_MARKER,
    HIDDEN_MARKER,
    HIDDEN_TEXT,
    MANY_MARKERS,
    MANY_TEXT,
    PLAIN_TEXT,
    SEED_TEXT,
    marker,
)


def citation(text: str, passage: str, url: str, title: str = "A page") -> dict[str, Any]:
    """Cite a passage of the text; indices count code points."""
    start = text.index(passage)
    return at(start, start + len(passage), url, title)


def at(start: int, end: int, url: str, title: str = "A page") -> dict[str, Any]:
    """Cite whatever stands there."""
    return {"type": "url_citation", "start_index": start, "end_index": end, "url": url, "title": title}


def search(number: int = 1, **action: Any) -> dict[str, Any]:
    """Return a finished call of the search tool."""
    sources = [{"type": "url", "url": f"https://belizereef.example/{number}"}]
    done = action or {"type": "search", "query": "reef recovery", "queries": ["reef recovery"], "sources": sources}
    return {"type": "web_search_call", "id": f"ws_{number:048x}", "status": "completed", "action": done}


def message(text: str, *annotations: dict[str, Any], number: int = 1, status: str = "completed") -> dict[str, Any]:
    """Return a message with one text."""
    content = {"type": "output_text", "text": text, "annotations": list(annotations), "logprobs": []}
    return wrapped(content, number=number, status=status)


def wrapped(*content: dict[str, Any], number: int = 1, status: str = "completed") -> dict[str, Any]:
    """Return a message with these parts."""
    return {
        "id": f"msg_{number:048x}",
        "type": "message",
        "status": status,
        "role": "assistant",
        "content": list(content),
    }


def reasoning(number: int = 1) -> dict[str, Any]:
    """Return what stands for the model's thinking."""
    return {"id": f"rs_{number:048x}", "type": "reasoning", "summary": []}


def response(*output: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Return a whole object; the server fills in what it repeats of the request."""
    return {
        "id": "resp_68c9fa0502748190b7dd390736892e100be649c1a5ff9609",
        "object": "response",
        "created_at": 1_757_000_000,
        "status": "completed",
        "background": False,
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "max_output_tokens": None,
        "max_tool_calls": None,
        "model": "gpt-5-nano-2025-08-07",
        "output": list(output),
        "parallel_tool_calls": True,
        "previous_response_id": None,
        "prompt_cache_key": None,
        "reasoning": {"effort": "low", "summary": None},
        "safety_identifier": None,
        "service_tier": "default",
        "store": True,
        "temperature": 1.0,
        "text": {"format": {"type": "text"}, "verbosity": "medium"},
        "tool_choice": "auto",
        "tools": [],
        "top_logprobs": 0,
        "top_p": 1.0,
        "truncation": "disabled",
        "usage": {
            "input_tokens": 8_412,
            "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
            "output_tokens": 912,
            "output_tokens_details": {"reasoning_tokens": 640},
            "total_tokens": 9_324,
        },
        "user": None,
        "metadata": {},
        **changes,
    }


BELIZE = citation(PLAIN_TEXT, BELIZE_MARKER, "https://belizereef.example/?id=7&utm_source=openai", "Reef")
CORAL = citation(PLAIN_TEXT, CORAL_MARKER, "https://coralwatch.example/2025?utm_source=openai", "Coral Watch")
SEED_CALL = {
    "type": "web_search_call",
    "id": "ws_67c9fa0502748190b7dd390736892e100be649c1a5ff9609",
    "status": "completed",
}
SEED_MESSAGE = {
    "id": "msg_67c9fa077e288190af08fdffda2e34f20be649c1a5ff9609",
    "type": "message",
    "status": "completed",
    "role": "assistant",
    "content": [
        {
            "type": "output_text",
            "text": "On March 6, 2025, several news...",
            "annotations": [at(2606, 2758, "https://...", "Title...")],
        }
    ],
}
FILES: list[dict[str, Any]] = [
    {"type": "file_citation", "file_id": "file-1", "filename": "reef.pdf", "index": 4},
    {
        "type": "container_file_citation",
        "container_id": "cntr_1",
        "file_id": "cfile_1",
        "filename": "reef.csv",
        "start_index": 0,
        "end_index": 5,
    },
    {"type": "file_path", "file_id": "file-2", "index": 0},
]
OUT_OF_TOKENS = {"reason": "max_output_tokens"}

RESPONSES: dict[str, dict[str, Any]] = {
    "plain": response(reasoning(), search(), reasoning(2), message(PLAIN_TEXT, BELIZE, CORAL)),
    "without_reasoning": response(search(), message(PLAIN_TEXT, BELIZE, CORAL)),
    "reasoning_between": response(
        reasoning(1), search(1), reasoning(2), search(2), reasoning(3), message(PLAIN_TEXT, BELIZE, CORAL)
    ),
    "several_messages": response(
        search(),
        message("I looked at the reefs.", number=1),
        message(PLAIN_TEXT, BELIZE, CORAL, number=2),
    ),
    "several_texts": response(
        search(),
        wrapped(
            {
                "type": "output_text",
                "text": f"Corals grow. {marker('a.example')}",
                "annotations": [
                    citation(f"Corals grow. {marker('a.example')}", marker("a.example"), "https://a.example")
                ],
            },
            {
                "type": "output_text",
                "text": f" Fish come. {marker('b.example')}",
                "annotations": [
                    citation(f" Fish come. {marker('b.example')}", marker("b.example"), "https://b.example")
                ],
            },
        ),
    ),
    "pages_opened": response(
        search(1),
        search(2, type="open_page", url="https://belizereef.example/?id=7"),
        search(3, type="find_in_page", url="https://belizereef.example/?id=7", pattern="live coral"),
        message(PLAIN_TEXT, BELIZE),
    ),
    "only_a_page_opened": response(
        search(1, type="open_page", url="https://belizereef.example/?id=7"), message(PLAIN_TEXT, BELIZE)
    ),
    "failed_search": response({**search(), "status": "failed"}, message(PLAIN_TEXT)),
    "seed": response(SEED_CALL, SEED_MESSAGE),
    "seed_whole": response(
        SEED_CALL, message(SEED_TEXT, at(2606, 2758, "https://news.example/good?ref=x&utm_source=openai", "Title..."))
    ),
    "other_annotations": response(search(), message(PLAIN_TEXT, FILES[0], BELIZE, *FILES[1:], CORAL)),
    "overlapping": response(
        search(),
        message(
            PLAIN_TEXT,
            at(0, 20, "https://a.example"),
            at(10, 30, "https://b.example"),
            at(10, 30, "https://b.example"),
            at(0, 20, "https://c.example"),
        ),
    ),
    "odd_indices": response(
        search(),
        message(
            PLAIN_TEXT,
            at(len(PLAIN_TEXT) - 5, len(PLAIN_TEXT) + 40, "https://beyond.example"),
            at(10_000, 10_100, "https://far.example"),
            at(30, 10, "https://inverted.example"),
            at(-5, 5, "https://negative.example"),
            at(7, 7, "https://empty.example"),
        ),
    ),
    "astral": response(
        search(),
        message(
            ASTRAL_TEXT,
            citation(ASTRAL_TEXT, ASTRAL_MARKERS[0], "https://seadragon.example/"),
            citation(ASTRAL_TEXT, ASTRAL_MARKERS[1], "https://atlas.example/"),
        ),
    ),
    "hidden_characters": response(
        search(),
        message(HIDDEN_TEXT, citation(HIDDEN_TEXT, HIDDEN_MARKER, "https://a.example", "R\u200beef\u2066")),
    ),
    "many": response(
        search(),
        message(
            MANY_TEXT,
            *(citation(MANY_TEXT, each, f"https://{number}.example/") for number, each in enumerate(MANY_MARKERS)),
        ),
    ),
    "uncited": response(search(), message("Nothing on the web says anything about it.")),
    "without_usage": response(search(), message(PLAIN_TEXT, BELIZE), usage=None),
    "text_alone": response(reasoning(), message(PLAIN_TEXT, BELIZE)),
    "search_alone": response(reasoning(), search()),
    "empty": response(),
    "blank_text": response(search(), message("  ")),
    "refusal": response(search(), wrapped({"type": "refusal", "refusal": "I cannot help with that."})),
    "out_of_tokens": response(reasoning(), search(), status="incomplete", incomplete_details=OUT_OF_TOKENS),
    "cut_short": response(
        search(),
        message(PLAIN_TEXT[: BELIZE["end_index"] + 10], BELIZE, status="incomplete"),
        status="incomplete",
        incomplete_details=OUT_OF_TOKENS,
    ),
    "filtered": response(search(), status="incomplete", incomplete_details={"reason": "content_filter"}),
    "failed": response(status="failed", error={"code": "server_error", "message": "The model broke."}, usage=None),
    "failed_for_limits": response(
        status="failed", error={"code": "rate_limit_exceeded", "message": "Slow down."}, usage=None
    ),
}
ODD = frozenset({"seed", "seed_whole"})
"""These differ from the types of the SDK, whose search calls always have an action."""
