import pytest
from pydantic import ValidationError

from steelyard.model.comparison import Comparison
from steelyard.model.report import Report
from steelyard.sources.records import noun, record_adapter


def test_an_adapter_is_made_once() -> None:
    assert record_adapter(Report) is record_adapter(Report)


def test_strictness_reaches_the_records_inside() -> None:
    with pytest.raises(ValidationError, match="extra"):
        record_adapter(Comparison).validate_json('{"pairs": [{"extra": 1}]}')


def test_a_kind_of_record_is_called_by_its_words() -> None:
    class EvaluationConfig: ...

    assert [noun(Report), noun(EvaluationConfig)] == ["report", "evaluation config"]
