"""Take the pictures of the viewer that greet visitors, light and dark: `python -m scripts.take_picture`.

The run is that of the tutorial on tiers, from recorded answers, so anybody can take them again. Needs a
sandbox, Chromium and the extra `view`.
"""

import base64
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.browser.chromium import Page, chromium
from tests.web.site import Site, site

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "pictures"
EXAMPLE = ROOT / "examples" / "tiers" / "which-tier"
WIDTH = 840  # about what a README is shown in, so that the letters keep their size
SHARPNESS = 1.25  # pixels of the picture for one of the page, for screens that have them
ROWS = 8  # of the list of cases
READY = "document.documentElement?.dataset.ready === 'true'"
# The line above the heading has the time of the run, which would make every picture another.
REMOVE = "document.querySelectorAll('.skip, .over').forEach((one) => one.remove())"
BOTTOM = f"document.querySelectorAll('.cases tbody tr')[{ROWS - 1}].getBoundingClientRect().bottom + scrollY"


def make_run(folder: Path) -> Path:
    """Draw and check the recorded answers."""
    run = folder / "which-tier"
    words = [
        *("run", "--eval-set", EXAMPLE / "set.toml", "--replay", EXAMPLE / "answers.jsonl"),
        *("--config", EXAMPLE / "prices.toml", "--run", run, "--quiet"),
    ]
    subprocess.run(
        [sys.executable, "-m", "steelyard", *map(str, words)], check=True, stdout=subprocess.DEVNULL
    )
    return run


def take(page: Page, served: Site, *, dark: bool) -> bytes:
    """Return the page of a run, down to its first cases, as a PNG file."""
    page.look(width=WIDTH, dark=dark)
    page.send("Page.navigate", url=served.access.url)
    page.wait(f"location.pathname.startsWith('/r/') && {READY}")
    page.run(REMOVE)
    clip = {"x": 0, "y": 0, "width": WIDTH, "height": page.run(BOTTOM), "scale": SHARPNESS}
    taken = page.send("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)
    return base64.b64decode(taken["data"])


def main() -> None:
    """Take the pictures."""
    with TemporaryDirectory() as folder, chromium() as browser, site(make_run(Path(folder))) as served:
        for name in ("light", "dark"):
            picture = PICTURES / f"viewer-{name}.png"
            picture.write_bytes(take(browser.page(), served, dark=name == "dark"))
            sys.stdout.write(f"wrote {picture.relative_to(ROOT)}, {picture.stat().st_size / 1000:.0f} KB\n")


if __name__ == "__main__":
    main()
