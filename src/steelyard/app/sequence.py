"""Keep the state of a sequence of rounds in a file that a gate reads and writes."""

from pathlib import Path

from steelyard.analysis.staged_gate import BEGINNING, add_round
from steelyard.app.files import write_file
from steelyard.errors import InputError
from steelyard.model.gate import GateReport
from steelyard.model.report import Report
from steelyard.model.sequence import GateSequence
from steelyard.model.verdict import GateRule
from steelyard.render.json import record_json
from steelyard.sources.record_file import record_of


def gate_round(baseline: Report, current: Report, file: str | Path, *, rule: GateRule) -> GateReport:
    """Judge a round of single samples with those before it, and keep all of them in the file."""
    path = Path(file)
    result, after = add_round(baseline, current, sequence=_read(path), rule=rule)
    write_file(path, record_json(after, GateSequence))
    return result


def _read(path: Path) -> GateSequence:
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return BEGINNING
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    return record_of(text, GateSequence, where=str(path))
