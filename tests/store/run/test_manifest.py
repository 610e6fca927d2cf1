"""run.json: written whole, read strictly."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from steelyard.errors import InputError, StoreError
from steelyard.model.run import RUN_SCHEMA
from steelyard.store.run.location import Folder
from steelyard.store.run.manifest import FILE_NAME, read_manifest, write_manifest
from tests.store.run.small_run import MANIFEST

FULL = replace(
    MANIFEST,
    stop_rule="two-in-a-row",
    eval_set="basics.toml",
    eval_set_digest="e1",
    seed=7,
    tools={"rustc": "1.95.0"},
    host={"os": "Linux"},
)


@pytest.mark.parametrize("manifest", [MANIFEST, FULL, replace(MANIFEST, planned_samples=None, cases=())])
def test_a_manifest_comes_back_as_it_was(tmp_path: Path, manifest: object) -> None:
    write_manifest(Folder(tmp_path), manifest)  # type: ignore[arg-type]  # pytest does not tell the type

    assert read_manifest(Folder(tmp_path)) == manifest


def test_a_manifest_begins_with_its_schema_and_is_made_to_be_read(tmp_path: Path) -> None:
    write_manifest(Folder(tmp_path), FULL)

    lines = (tmp_path / FILE_NAME).read_text(encoding="utf-8").splitlines()

    assert lines[:2] == ["{", f'  "schema": "{RUN_SCHEMA}",']


def test_writing_a_manifest_leaves_no_draft_behind(tmp_path: Path) -> None:
    write_manifest(Folder(tmp_path), FULL)
    write_manifest(Folder(tmp_path), MANIFEST)

    assert [path.name for path in tmp_path.iterdir()] == [FILE_NAME]


def changed(folder: Path, **changes: object) -> Folder:
    """Write a manifest with some keys changed or added by hand."""
    write_manifest(Folder(folder), MANIFEST)
    record = json.loads((folder / FILE_NAME).read_text(encoding="utf-8"))
    (folder / FILE_NAME).write_text(json.dumps(record | changes), encoding="utf-8")
    return Folder(folder)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"planned_samples": "3"}, "planned_samples"),
        ({"seed": 1.5}, "seed"),
        ({"cases": [{"suite": "s"}]}, r"cases\.0\.case"),
        ({"subjects": None}, "subjects"),
    ],
)
def test_a_manifest_that_says_something_else_is_damaged(
    tmp_path: Path, changes: dict[str, object], told: str
) -> None:
    with pytest.raises(StoreError, match=f"run.json: the file is damaged: .*{told}"):
        read_manifest(changed(tmp_path, **changes))


@pytest.mark.parametrize("schema", ["steelyard.run/2", "steelyard.report/1", None, 1])
def test_a_manifest_of_another_schema_is_refused(tmp_path: Path, schema: object) -> None:
    with pytest.raises(InputError, match=f"schema {schema!r}, this version reads 'steelyard.run/1'"):
        read_manifest(changed(tmp_path, schema=schema))


def test_an_empty_folder_holds_no_run(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"run.json"):
        read_manifest(Folder(tmp_path))


def test_a_key_of_a_later_version_is_no_damage(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'surprise'"):
        read_manifest(changed(tmp_path, surprise=1, generator="steelyard 9.0"))
