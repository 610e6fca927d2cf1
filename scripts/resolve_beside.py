"""Ask the package index whether Steelyard can be installed beside the newest release of other packages.

Nothing is installed; uv only resolves. Run it by `make beside`; docs/internals/decisions.md has the results.
"""

import subprocess
import sys
from pathlib import Path

OTHERS = ("vllm", "sglang", "crewai", "semantic-kernel", "instructor", "deepeval", "sagemaker")
EXTRAS = ("", "cloud,json,ray", "all")  # the first that does not resolve ends the row
PYTHON = "3.12"  # not all of them know newer ones
PROJECT = Path(__file__).parents[1]
UV = Path(sys.executable).with_name("uv")


def resolved(*requirements: str) -> str | None:
    """Return the versions that fit together, or None when there are none."""
    done = subprocess.run(
        [UV, "pip", "compile", "--quiet", "--no-header", "--no-annotate", "--python-version", PYTHON, "-"],
        input="\n".join(requirements),
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    return done.stdout if done.returncode == 0 else None


def newest(name: str) -> str:
    """Return the newest release of a package, as a requirement: older ones would fit beside anything."""
    alone = resolved(name)
    assert alone, f"{name} cannot be resolved even alone"
    return next(line for line in alone.splitlines() if line.startswith(f"{name}=="))


def main() -> None:
    """Print a line for each package: what of Steelyard fits beside it."""
    for name in OTHERS:
        release = newest(name)
        fits = [
            f"steelyard[{extras}]" if extras else "steelyard"
            for extras in EXTRAS
            if resolved(release, f"steelyard[{extras}] @ {PROJECT.as_uri()}")
        ]
        print(f"{release:24} {', '.join(fits) or 'nothing'}", flush=True)


if __name__ == "__main__":
    main()
