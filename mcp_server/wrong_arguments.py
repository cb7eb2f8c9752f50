"""Arguments that break an operation's schema: named with what is wrong about each, never with what was given."""

from typing import Final

from pydantic import ValidationError

from indexer.errors import Invalid, shown

_SHOWN_PROBLEMS: Final = 20
_PLAIN: Final = {
    "missing": "This argument is required",
    "extra_forbidden": "There is no such argument",
    # the library's own words repeat what was given
    "union_tag_invalid": "There is no such type",
}


class WrongArguments(Invalid):
    """The call as it stands cannot be made."""

    def __init__(self, cause: ValidationError) -> None:
        self.cause = cause
        problems = [
            {
                "argument": shown(".".join(str(part) for part in problem["loc"]) or "body"),
                "problem": _PLAIN.get(problem["type"], problem["msg"]),
            }
            for problem in cause.errors(include_url=False, include_context=False, include_input=False)
        ][:_SHOWN_PROBLEMS]
        listed = "; ".join(f"{problem['argument']}: {problem['problem']}" for problem in problems)
        super().__init__(
            f"Wrong arguments: {listed}",
            action="Correct the arguments named in details.errors; /docs lists what each call takes",
            details={"errors": problems},
        )
