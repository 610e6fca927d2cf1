"""The suite for sinks, over a sink without another system; `examples/mlflow-sink` runs it over MLflow."""

import json
from pathlib import Path

from typing_extensions import override

from steelyard.model.sent_run import SentRun
from tests.conformance.folder_sink import FOLDER, FolderSink
from tests.conformance.sink_suite import Kept, SinkSuite


class TestFolderSink(SinkSuite):
    @override
    def sink(self) -> FolderSink:
        return FolderSink()

    @override
    def kept(self, run: SentRun) -> list[Kept]:
        files = [json.loads(path.read_text(encoding="utf-8")) for path in Path(FOLDER).glob(f"{run.key}*")]
        return [
            Kept(
                metrics={one["key"]: one["metrics"] for one in file["subjects"]},
                parameters={one["key"]: one["parameters"] for one in file["subjects"]},
                tags=file["tags"],
                files=file["files"],
            )
            for file in files
        ]
