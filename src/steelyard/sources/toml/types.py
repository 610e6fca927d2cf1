"""The types of keys that several kinds of TOML files share."""

from typing import Annotated

from pydantic import Field

Id = Annotated[str, Field(pattern=r"^\S(.*\S)?$")]
Positive = Annotated[int, Field(ge=1)]
NotNegative = Annotated[int, Field(ge=0)]
Share = Annotated[float, Field(ge=0)]
Tolerance = Annotated[float, Field(ge=0, lt=1)]  # with 1, each number would be near each larger one


def doc(meaning: str) -> dict[str, str]:
    """Return what is to be known about a key, in the form in which pydantic reads it."""
    return {"description": meaning}
