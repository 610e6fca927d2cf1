"""Drop or replace models of a run, such as misspelt ones."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TypeVar, overload

from steelyard.errors import UnknownName, UserError
from steelyard.model.nearest_name import did_you_mean
from steelyard.model.run import Manifest, Subject, SubjectSamples

Named = TypeVar("Named", Subject, SubjectSamples)


@overload
def with_other_models(manifest: Manifest, drop: Collection[str], renamed: Mapping[str, str]) -> Manifest: ...
@overload
def with_other_models(
    manifest: Manifest | None, drop: Collection[str], renamed: Mapping[str, str]
) -> Manifest | None: ...
def with_other_models(
    manifest: Manifest | None, drop: Collection[str], renamed: Mapping[str, str]
) -> Manifest | None:
    """Return the manifest with models dropped and replaced."""
    if not drop and not renamed:
        return manifest
    if manifest is None:
        raise UserError("`drop_models` and `replace_models` change a resumed run: set `resume=RUN`")
    known = tuple(dict.fromkeys(subject.model for subject in manifest.subjects))
    for model in (*drop, *renamed):
        if model not in known:
            raise _unknown(model, known)
    twice = [model for model in renamed.values() if model in known]
    if twice:
        raise UserError(f"{twice[0]} is in the run already; drop the misspelt one with `drop_models=NAME`")
    _require_one_each(drop, renamed)
    subjects = _changed(manifest.subjects, drop, renamed)
    if not subjects:
        raise UserError("a run needs a model: replace it with `replace_models=OLD=NEW` instead")
    return replace(
        manifest,
        subjects=subjects,
        subject_samples=_changed(manifest.subject_samples, drop, renamed),
    )


def _require_one_each(drop: Collection[str], renamed: Mapping[str, str]) -> None:
    """Reject models that are dropped and replaced, or replace several."""
    if both := [model for model in renamed if model in drop]:
        raise UserError(f"{both[0]} is both dropped and replaced; choose one")
    targets = list(renamed.values())
    if twice := [model for model in targets if targets.count(model) > 1]:
        raise UserError(
            f"{twice[0]} is to replace several models; replace one, and drop the others with "
            f"`drop_models=NAME`"
        )


def _changed(
    listed: tuple[Named, ...], drop: Collection[str], renamed: Mapping[str, str]
) -> tuple[Named, ...]:
    return tuple(
        replace(item, model=renamed.get(item.model, item.model)) for item in listed if item.model not in drop
    )


def _unknown(model: str, known: Collection[str]) -> UnknownName:
    hint = did_you_mean(model, known, otherwise="it has")
    return UnknownName(f"{model}: the run has no such model; {hint}")
