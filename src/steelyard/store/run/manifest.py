"""Read and write `run.json`, the plan of a run.

Its schema is versioned: a run of a later version is refused with a message.
"""

from functools import cache

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic_core import from_json, to_json

from steelyard.errors import InputError, StoreError
from steelyard.model.run import RUN_SCHEMA, Manifest
from steelyard.store.run.location import Location

FILE_NAME = "run.json"
STRICT = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)


def read_manifest(location: Location) -> Manifest:
    """Read a run's manifest; raise an error with the reason if it cannot be read."""
    text = location.read(FILE_NAME)
    where = f"{location.address}/{FILE_NAME}"
    if text is None:
        raise InputError(f"{location.address}: there is no run here: {FILE_NAME} is missing")
    try:
        parsed = from_json(text)
    except ValueError as error:
        raise StoreError(f"{where}: the file is damaged: {error}") from error
    schema = parsed.pop("schema", None) if isinstance(parsed, dict) else None
    if schema != RUN_SCHEMA:
        raise InputError(f"{where}: unsupported schema {schema!r}, this version reads {RUN_SCHEMA!r}")
    try:
        manifest = _adapter().validate_json(to_json(parsed))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(map(str, first["loc"]))
        if first["type"] == "unexpected_keyword_argument":
            maker = parsed.get("generator", "another version")
            raise InputError(
                f"{where}: this version knows no key {key!r}. The run was made by {maker}: "
                f"use that, or a later one"
            ) from error
        raise StoreError(f"{where}: the file is damaged: {key}: {first['msg']}") from error
    if manifest is None:
        raise StoreError(f"{where}: the file is damaged: it holds nothing")
    return manifest


def write_manifest(location: Location, manifest: Manifest) -> None:
    """Write a run's manifest."""
    record = {"schema": RUN_SCHEMA, **_adapter().dump_python(manifest)}
    if manifest.benchmark is None:
        del record["benchmark"]  # most runs have none, and earlier versions do not know the key
    if not manifest.excluded:
        del record["excluded"]
    for known in ("names_refusals", "attempts_known"):
        if record[known]:
            del record[known]  # likewise
    location.write(FILE_NAME, to_json(record, indent=2) + b"\n")


@cache
def _adapter() -> TypeAdapter[Manifest | None]:
    # The "or null" is a detour: pydantic takes a configuration for a union and refuses one for a dataclass.
    return TypeAdapter(Manifest | None, config=STRICT)
