"""Keep the eval set beside its run, so that a run can be resumed, checked again and looked at years later.

Written whole when a run begins or grows; the digests in `run.json` say whether it is the right one.
"""

from functools import cache

from pydantic import TypeAdapter, ValidationError
from pydantic_core import to_json

from steelyard.errors import InputError, StoreError
from steelyard.model.evalset import EvalSet
from steelyard.store.run.location import Place, place_of

FILE_NAME = "eval-set.json"


def write_eval_set(place: Place, eval_set: EvalSet) -> None:
    """Write the eval set of a run."""
    place.write(FILE_NAME, to_json(_adapter().dump_python(eval_set, mode="json"), indent=2) + b"\n")


def has_stored_set(address: str) -> bool:
    """Whether the run at an address came with its eval set."""
    return place_of(address).read(FILE_NAME) is not None


def read_stored_set(place: Place) -> EvalSet:
    """Read the eval set of a run."""
    text = place.read(FILE_NAME)
    if text is None:
        raise InputError(
            f"{place.address}: this run came without its eval set, such as one that was imported; "
            f"say which it is with --eval-set"
        )
    try:
        return _adapter().validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise StoreError(
            f"{place.address}/{FILE_NAME}: the file is damaged: {where}: {first['msg']}"
        ) from error


@cache
def _adapter() -> TypeAdapter[EvalSet]:
    return TypeAdapter(EvalSet)
