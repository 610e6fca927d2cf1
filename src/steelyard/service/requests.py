"""Define the bodies of requests to the service's own interface."""

from dataclasses import dataclass, field
from typing import Annotated

from pydantic import Field

from steelyard.sources.evalset.shape import CaseTable
from steelyard.sources.toml.types import doc

MOST_ITEMS = 4_096  # of a batch
Deadline = Annotated[float, Field(gt=0, le=3_600)]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRequest:
    """An answer to check: by a case of a served set, or by a case in the request itself."""

    completion: str = field(metadata=doc("The model's whole answer."))
    eval_set: str = field(default="", metadata=doc("The id or the digest of a served eval set."))
    case: str = field(default="", metadata=doc("The id of a case of the set."))
    case_digest: str = field(
        default="", metadata=doc("The expected digest of the case; another one is an error.")
    )
    inline: CaseTable | None = field(
        default=None, metadata=doc("A whole case, as a table of an eval set file, in place of a served one.")
    )
    deadline_s: Deadline | None = field(
        default=None,
        metadata=doc("Seconds from arrival to the reply. Default: 4 times the case's limit, plus 30."),
    )
    source: str = field(default="", metadata=doc("A name for the counters, such as that of a training run."))
    id: str = field(default="", metadata=doc("Returned with the result, to match items of a batch."))


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchRequest:
    """Many answers to check; each result is sent as soon as it is known."""

    items: tuple[CheckRequest, ...] = field(metadata=doc(f"At most {MOST_ITEMS:,} requests."))
