"""Run every measurement, one after the other, and say at the end what each took and which missed its goal.

Figures of the pages come first, so that an interrupted session still has them. A goal that is missed stops
nothing, but ends it all with 1. Peers are measured where `--peers` names a Python that has them.
Run: python -m perf.everything FOLDER [--peers PYTHON] [--promptfoo COMMAND] [--only NAME ...]
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
# {folder} is where a script keeps large files; what --peers and --promptfoo name is added below.
STEPS = {
    "run_store": "{folder}/runs --keep",
    "open_run": "{folder}/pages --keep",
    "runner_scale": "{folder}/runner --samples 3e5 --keep",
    "simulated_size": "--keep",
    "view_scale": "{folder}/view --keep",
    "view_peers": "{folder}/viewers --keep",
    "view_live": "{folder}/live",
    "sandboxes": "--keep",
    "model_calls": "",
    "pace": "",
    "sandbox": "",
    "exit_codes": "",
    "kill_writer": "",
    "kill_runner": "",
    "kill_batches": "",
    "sandbox_load": "",
    "mixed_answers": "",
    "scale_tables": "",
}
PEER_OPTIONS = {"run_store": "--peers", "view_peers": "--inspect"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is asked for; 1 if a script ended with anything but 0."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="where some gigabytes of generated runs are kept")
    parser.add_argument("--peers", default="", help="a Python that has the other engines and inspect-ai")
    parser.add_argument("--promptfoo", default="", help="the command of promptfoo")
    parser.add_argument("--only", nargs="+", choices=STEPS, default=list(STEPS), metavar="NAME")
    given = parser.parse_args(arguments)
    lines = []
    for name in given.only:
        words = [*STEPS[name].format(folder=given.folder.absolute()).split(), *_peers(name, given)]
        print(f"== {name} {' '.join(words)}", flush=True)
        start = time.monotonic()
        command = [sys.executable, "-m", f"perf.{name}", *words]
        code = subprocess.run(command, cwd=ROOT, check=False).returncode
        lines.append((name, time.monotonic() - start, code))
    for name, seconds, code in lines:
        print(f"{name:<16} {seconds / 60:6.1f} min  {'met' if code == 0 else f'missed or failed: {code}'}")
    return int(any(code for _, _, code in lines))


def _peers(name: str, given: argparse.Namespace) -> list[str]:
    words = [PEER_OPTIONS[name], given.peers] if given.peers and name in PEER_OPTIONS else []
    if given.promptfoo and name == "view_peers":
        words += ["--promptfoo", given.promptfoo]
    return words


if __name__ == "__main__":
    sys.exit(main())
