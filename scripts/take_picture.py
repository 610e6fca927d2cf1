"""Take the picture of a report that greets visitors: `python -m scripts.take_picture`.

The report is that of the tutorial on tiers, from recorded answers, so anybody can take it again;
of its charts the picture has two. Needs a sandbox and Chromium.
"""

import base64
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.browser.chromium import Page, chromium

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "pictures" / "report.png"
EXAMPLE = ROOT / "examples" / "tiers" / "which-tier"
WIDTH = 840  # about what a README is shown in, so that the letters keep their size
SHARPNESS = 1.25  # pixels of the picture for one of the page, for screens that have them
# The marks in the charts are numbered as in the ranking, so the legends can be left out.
OTHERS = "#cases, #failures, #suites, #tiers"  # between the two charts
LEAVE_OUT = f"nav, .skip, {OTHERS}, details, #cost figure > :not(.plot), #cost > :not(h2, figure)"
REMOVE = f"document.querySelectorAll('{LEAVE_OUT}').forEach((one) => one.remove())"
BOTTOM = "document.querySelector('#cost figure').getBoundingClientRect().bottom + window.scrollY"


def write_report(folder: Path) -> Path:
    """Draw and check the recorded answers, and write their report."""
    page = folder / "report.html"
    words = [
        *("run", "--eval-set", EXAMPLE / "set.toml", "--replay", EXAMPLE / "answers.jsonl"),
        *("--config", EXAMPLE / "prices.toml", "--run", folder / "run", "--quiet", "-o", page),
    ]
    subprocess.run(
        [sys.executable, "-m", "steelyard", *map(str, words)], check=True, stdout=subprocess.DEVNULL
    )
    return page


def take(page: Page, report: Path) -> bytes:
    """Return the upper part of a report as a PNG file."""
    page.look(width=WIDTH, dark=False)
    page.open(report)
    page.run(REMOVE)
    height = page.run(BOTTOM) + 16
    clip = {"x": 0, "y": 0, "width": WIDTH, "height": height, "scale": SHARPNESS}
    taken = page.send("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)
    return base64.b64decode(taken["data"])


def main() -> None:
    """Take the picture."""
    with TemporaryDirectory() as folder, chromium() as browser:
        picture = take(browser.page(), write_report(Path(folder)))
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_bytes(picture)
    sys.stdout.write(f"wrote {PICTURE.relative_to(ROOT)}, {len(picture) / 1000:.0f} KB\n")


if __name__ == "__main__":
    main()
