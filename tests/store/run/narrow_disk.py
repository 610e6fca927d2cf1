"""Write to a run on a disk that is too small or read-only; a script, since it takes a mount of its own.

`python -m tests.store.run.narrow_disk SCENARIO FOLDER` prints what happened as JSON. Started by
`on_small_disk`, FOLDER is a file system of its own that goes when the script ends.
"""

import json
import os
import resource
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from steelyard.app.report import report_run
from steelyard.errors import StoreError
from steelyard.store.run.run_store import RunStore, create_run, open_run
from tests.repo.package import REPOSITORY
from tests.store.run.small_run import generated, seen, small_manifest

CHUNK = 20
MANIFEST = small_manifest(models=1, cases=40, planned=10)


def on_small_disk(scenario: str, folder: Path, *, size: str) -> dict[str, Any]:
    """Run a scenario on a disk of that size that nobody else sees, as whichever user this is."""
    folder.mkdir()
    inner = shlex.join([sys.executable, "-m", "tests.store.run.narrow_disk", scenario, str(folder)])
    mount = f"mount -t tmpfs -o size={size} none {shlex.quote(str(folder))}"
    words = ["unshare", "--map-root-user", "--mount", "sh", "-c", f"{mount} && exec {inner}"]
    done = subprocess.run(words, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def full(folder: Path) -> dict[str, object]:
    """Fill the disk with samples, then make room and go on."""
    ballast = folder / "ballast"
    ballast.write_bytes(os.urandom(250_000))
    found = _written_until_refused(create_run(folder / "run", MANIFEST))
    found["finishing"] = _refusal(lambda: open_run(folder / "run").hold().finish())
    _fill(folder / "rest")
    found["extending"] = _refusal(lambda: open_run(folder / "run").hold().extend(planned_samples=11))
    (folder / "rest").unlink()
    ballast.unlink()
    return found | _resumed(folder)


def _fill(path: Path) -> None:
    """Take up the last bytes, which may be too few for a chunk and enough for a small file."""
    with path.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(512))


def limited(folder: Path) -> dict[str, object]:
    """Let no file grow beyond a few thousand bytes, then lift the limit and go on."""
    store = create_run(folder / "run", MANIFEST)
    before = _chunk(store)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (6_000, hard))
    found = _written_until_refused(store, acknowledged=before)
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    return found | _resumed(folder)


def read_only(folder: Path) -> dict[str, object]:
    """Make the disk read-only between two chunks; reading still works."""
    store = create_run(folder / "run", MANIFEST)
    acknowledged = _chunk(store)
    subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
    found: dict[str, object] = {
        "acknowledged": acknowledged,
        "refusal": _refusal(lambda: _chunk(store)),
        "beginning": _refusal(lambda: create_run(folder / "other", MANIFEST)),
        "finishing": _refusal(lambda: open_run(folder / "run").hold().finish()),
        "kept": sum(case.n + case.errored for case in report_run(folder / "run").cases),
    }
    subprocess.run(["mount", "-o", "remount,rw", str(folder)], check=True)
    return found | _resumed(folder)


def _written_until_refused(store: RunStore, acknowledged: int = 0) -> dict[str, object]:
    for _ in range(400 // CHUNK):
        try:
            acknowledged += _chunk(store)
        except StoreError as error:
            kept = len(list(MANIFEST.wanted())) - len(list(store.pending()))
            return {"acknowledged": acknowledged, "kept": kept, "refusal": str(error)}
    raise AssertionError("the disk was large enough")


def _chunk(store: RunStore) -> int:
    keys = list(store.pending())[:CHUNK]
    samples = [generated(key, text=os.urandom(300).hex()) for key in keys]
    store.add_samples(samples, chunk=f"samples of {keys}")
    store.add_outcomes([(sample, seen(sample)) for sample in samples], chunk=f"outcomes of {keys}")
    return len(keys)


def _refusal(work: Callable[[], object]) -> str:
    try:
        work()
    except StoreError as error:
        return str(error)
    return "nothing was refused"


def _resumed(folder: Path) -> dict[str, object]:
    store = open_run(folder / "run").hold()
    before = sum(file.rows for file in store.samples.files())
    late = list(store.unchecked())
    store.add_outcomes([(sample, seen(sample)) for sample in late], chunk="late")
    _chunk(store)
    store.finish()
    return {
        "before": before,
        "after": sum(file.rows for file in open_run(folder / "run").samples.files()),
        "reported": sum(case.n + case.errored for case in report_run(folder / "run").cases),
        "left": [path.name for path in (folder / "run" / "samples").glob("part-*")],
    }


if __name__ == "__main__":
    scenarios = {"full": full, "limited": limited, "read_only": read_only}
    json.dump(scenarios[sys.argv[1]](Path(sys.argv[2])), sys.stdout)
