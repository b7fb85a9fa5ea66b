"""How an address of the API is described."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from clubrating.site.programs.shapes import Shape, anything, record, text


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An address by the name of its route, and one method. `words`: what it answers, in Markdown. `query`: what
    may stand behind the question mark. `scope` and `body`: of an address that writes. `status`, `also`: what it
    answers with where it is done; `refusals`: with what else."""

    name: str
    words: str
    answer: Shape
    method: str = "GET"
    query: Mapping[str, Shape] = field(default_factory=dict)
    scope: str = ""
    body: Shape | None = None
    status: int = 200
    also: tuple[int, ...] = ()
    refusals: tuple[int, ...] = (404,)


# Of every refusal; `anything` stands where a program must not rely on more.
ERROR = record(
    error=text("a sentence"),
    **{
        "field?": text("the field, header or place it is about"),
        "stale?": anything("true where somebody else changed the same meanwhile: read it again, then decide"),
        "seconds?": anything("after which to ask again"),
    },
)
STATUSES: Mapping[int, str] = {
    200: "done, or found",
    201: "made",
    202: "accepted: carried out in the background",
    304: "not changed since the answer with that ETag",
    400: "the question or the body is not as described",
    401: "no token, or none that is valid",
    403: "the token or its officer may not do that here",
    404: "there is nothing of that kind",
    405: "this method does nothing here",
    409: "refused by the rules of the event, or somebody else was faster",
    413: "the body is too large",
    415: "the body is not sent as JSON",
    422: "the Idempotency-Key came before with another request",
    429: "too many requests: see Retry-After",
}
