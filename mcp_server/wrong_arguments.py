"""Arguments that violate an operation's schema: the failure names each and its problem, never its value."""

from typing import Final

from pydantic import ValidationError

from indexer.errors import Invalid, printable

_MAX_PROBLEMS: Final = 20
_PROBLEM_TEXTS: Final = {
    "missing": "This argument is required",
    "extra_forbidden": "There is no such argument",
    # pydantic's own message repeats the value
    "union_tag_invalid": "There is no such type",
}


class WrongArguments(Invalid):
    """The arguments of a call are invalid."""

    def __init__(self, cause: ValidationError) -> None:
        self.cause = cause
        problems = [
            {
                "argument": printable(".".join(str(part) for part in problem["loc"]) or "body"),
                "problem": _PROBLEM_TEXTS.get(problem["type"], problem["msg"]),
            }
            for problem in cause.errors(include_url=False, include_context=False, include_input=False)
        ][:_MAX_PROBLEMS]
        listed = "; ".join(f"{problem['argument']}: {problem['problem']}" for problem in problems)
        super().__init__(
            f"Wrong arguments: {listed}",
            action="Correct the arguments named in details.errors; /docs lists what each call takes",
            details={"errors": problems},
        )
