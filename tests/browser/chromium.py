"""Drive a headless Chromium over a pair of pipes, by its own protocol: no driver, no port, no network.

Everything that the page asks for over the network, and every word on its console, is written down.
"""

import base64
import contextlib
import fcntl
import json
import os
import select
import shutil
import signal
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.patience import PATIENCE_S

ANSWER_SECONDS = 60.0
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--remote-debugging-pipe",
)
TALLEST = 12_000  # pixels of a picture
FIRST_FREE = 10  # descriptors below are for the child to use


class PageFailed(AssertionError):
    """Chromium, or a script in the page, said no."""


@dataclass(slots=True)
class Page:
    """One open page."""

    browser: "Browser"
    target: str
    session: str
    console: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def send(self, method: str, **parameters: object) -> dict[str, Any]:
        """Ask Chromium for something, and wait for the answer."""
        return self.browser.send(method, parameters, self)

    def open(self, path: Path) -> None:
        """Open a file and wait until its script has filled the page."""
        self.send("Page.navigate", url=path.as_uri())
        self.wait("document.documentElement?.dataset.ready === 'true'")

    def run(self, script: str) -> Any:  # noqa: ANN401 - whatever the script gives
        """Run a script in the page and return what it gives, waiting for a promise."""
        done = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in done:
            raise PageFailed(json.dumps(done["exceptionDetails"])[:2000])
        return done["result"].get("value")

    def wait(self, condition: str, *, seconds: float = PATIENCE_S) -> None:
        """Wait until a script gives true."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.run(condition) is True:
                return
            time.sleep(0.02)
        raise PageFailed(f"never true: {condition}; the console says {self.console}")

    def look(self, *, width: int, dark: bool, height: int = 900) -> None:
        """Choose the size of the screen, and light or dark."""
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[scheme])

    def picture(self, path: Path) -> Path:
        """Write what is to be seen to a PNG file, from top to bottom."""
        size = self.send("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], TALLEST), "scale": 1}
        done = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)
        path.write_bytes(base64.b64decode(done["data"]))
        return path

    def close(self) -> None:
        """Close the page, whatever it is doing."""
        self.browser.send("Target.closeTarget", {"targetId": self.target})

    def pdf(self) -> bytes:
        """Return the page as it is printed."""
        return base64.b64decode(self.send("Page.printToPDF", printBackground=False)["data"])


class Browser:
    """A running Chromium."""

    def __init__(self, read: int, write: int) -> None:
        self._read, self._write = read, write
        self._number = 0
        self._rest = b""
        self._messages: deque[dict[str, Any]] = deque()
        self._pages: dict[str, Page] = {}

    def page(self) -> Page:
        """Open an empty page that writes down what it asks for and what it says."""
        target = self.send("Target.createTarget", {"url": "about:blank"})["targetId"]
        session = self.send("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        page = Page(self, target, session)
        self._pages[session] = page
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.send(f"{domain}.enable")
        return page

    def send(self, method: str, parameters: dict[str, Any], page: Page | None = None) -> dict[str, Any]:
        """Send one message, and return the answer to it."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if page is not None:
            message["sessionId"] = page.session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + ANSWER_SECONDS
        while time.monotonic() < end:
            found = self._next(end)
            if found.get("id") == self._number:
                if "error" in found:
                    raise PageFailed(f"{method}: {found['error']}")
                answer: dict[str, Any] = found["result"]
                return answer
            self._note(found)
        raise PageFailed(f"{method}: no answer")

    def _next(self, end: float) -> dict[str, Any]:
        while not self._messages:
            ready, _, _ = select.select([self._read], [], [], max(0.0, end - time.monotonic()))
            part = os.read(self._read, 1 << 20) if ready else b""
            if not part:
                raise PageFailed("Chromium is gone or silent")
            *whole, self._rest = (self._rest + part).split(b"\0")
            self._messages.extend(json.loads(one) for one in whole)
        return self._messages.popleft()

    def _note(self, event: dict[str, Any]) -> None:
        page = self._pages.get(event.get("sessionId", ""))
        if page is None:
            return
        told = event.get("params", {})
        match event["method"]:
            case "Network.requestWillBeSent":
                page.requests.append(told["request"]["url"])
            case "Runtime.exceptionThrown":
                page.console.append(json.dumps(told["exceptionDetails"])[:1000])
            case "Runtime.consoleAPICalled" if told["type"] in {"error", "warning", "assert"}:
                page.console.append(json.dumps(told["args"])[:1000])
            case "Log.entryAdded" if told["entry"]["level"] in {"error", "warning"}:
                page.console.append(told["entry"]["text"])


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start Chromium in a folder of its own, and leave nothing of it behind."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        raise PageFailed("there is no Chromium here: apt-get install chromium")
    commands, answers = _pipe(), _pipe()
    with TemporaryDirectory(prefix="chromium-", ignore_cleanup_errors=True) as home:
        child = os.posix_spawn(
            program,
            [program, *FLAGS, f"--user-data-dir={home}", "about:blank"],
            {**os.environ, "HOME": home},
            file_actions=[
                (os.POSIX_SPAWN_DUP2, commands[0], 3),
                (os.POSIX_SPAWN_DUP2, answers[1], 4),
                (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
                (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
            ],
            setpgroup=0,
        )
        os.close(commands[0])
        os.close(answers[1])
        try:
            yield Browser(answers[0], commands[1])
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            os.close(answers[0])
            os.close(commands[1])


def _pipe() -> tuple[int, int]:
    """Return a pipe whose ends are out of the way of the child's own numbers."""
    ends = os.pipe()
    moved = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, FIRST_FREE) for end in ends]
    for end in ends:
        os.close(end)
    return moved[0], moved[1]
