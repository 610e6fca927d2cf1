"""A sink that keeps runs as JSON in the current folder: the smallest one that keeps every promise."""

import json
from dataclasses import asdict
from pathlib import Path

from steelyard.model.sent_run import SentRun

FOLDER = "kept"


class FolderSink:
    """Keeps each run in a file of its own, named after its key."""

    def send(self, run: SentRun) -> str:
        folder = Path(FOLDER)
        folder.mkdir(exist_ok=True)
        path = folder / f"{run.key}.json"
        subjects = [asdict(one) for one in run.subjects]
        kept = {"name": run.name, "tags": run.tags, "files": run.files, "subjects": subjects}
        path.write_text(json.dumps(kept), encoding="utf-8")
        return str(path)
