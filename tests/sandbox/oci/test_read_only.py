"""What is mounted below a shown folder: a runtime that cannot keep it read-only is not shown it."""

import os
from pathlib import Path

import pytest

from steelyard.sandbox.oci.read_only import reaches_below
from tests.sandbox.mounts import told_with_mounts

OLD = """
import sys
from steelyard.errors import SandboxError
from steelyard.model.execution import Bind
from steelyard.sandbox.oci import sandbox as oci
from tests.sandbox.backends import script
oci.reaches_below = lambda program: False
sandbox = oci.OciSandbox()
for source in sys.argv[1:]:
    try:
        print(sandbox.run(script("", binds=[Bind(source=source, at="shown")])).exit_code)
    except SandboxError as error:
        print(error)
sandbox.close()
"""
KNOWN = '{"mountOptions": ["ro", "rro"]}'


@pytest.mark.parametrize(
    ("said", "known"),
    [(KNOWN, True), ('{"mountOptions": ["ro"]}', False), ("{}", False), ("[]", False), ("no such", False)],
)
def test_a_runtime_is_asked_whether_it_keeps_all_below_read_only(
    tmp_path: Path, said: str, *, known: bool
) -> None:
    runtime = tmp_path / "runtime"
    runtime.write_text(f"#!/bin/sh\n[ \"$*\" = features ] && echo '{said}'\n", encoding="utf-8")
    runtime.chmod(0o755)

    assert reaches_below(str(runtime)) is known


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount")
def test_an_old_runtime_is_shown_no_folder_below_which_something_is_mounted(tmp_path: Path) -> None:
    plain, mounted = tmp_path / "plain", tmp_path / "moun ted"
    for folder in (plain, mounted / "below"):
        folder.mkdir(parents=True)

    ended, refused = told_with_mounts(OLD, str(plain), str(mounted), at=[f"{mounted}/below"]).splitlines()

    assert ended == "0"
    assert f"a mount below {mounted} would be writable" in refused
