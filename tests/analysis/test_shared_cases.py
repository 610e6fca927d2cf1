"""The cases that all subjects have evidence for, whatever each of them has besides."""

from hypothesis import given
from hypothesis import strategies as st

from steelyard.analysis.shared_cases import shared_cases
from steelyard.analysis.subjects import subjects
from steelyard.metrics.rules import describe_rule
from steelyard.metrics.scoring import BuildTestLint
from steelyard.model.options import ReportOptions
from steelyard.model.state import CaseState, Evidence

Table = dict[tuple[str, str], int]  # how many samples a case has; 0: only errors

tables = st.dictionaries(st.tuples(st.sampled_from("ab"), st.sampled_from("wxyz")), st.integers(0, 3))


def states(model: str, table: Table) -> list[CaseState]:
    return [CaseState(model, "T0", suite, case, n=n, n_error=1) for (suite, case), n in sorted(table.items())]


@given(st.lists(tables, min_size=1, max_size=3).flatmap(lambda some: st.sampled_from([some, some[:1] * 2])))
def test_the_rows_are_those_of_the_names_that_all_have(some: list[Table]) -> None:
    evidence = Evidence(
        states=tuple(one for place, table in enumerate(some) for one in states(f"m{place}", table)),
        scoring=describe_rule(BuildTestLint()),
        spreads=None,
    )
    lined_up = subjects(evidence, None, ReportOptions())

    found = shared_cases(lined_up)

    known = [{(one.suite, one.case): one for one in subject.states if one.n} for subject in lined_up]
    names = sorted(set.intersection(*map(set, known))) if known else []
    assert list(found.names) == names
    assert [list(row) for row in found.rows] == [[table[name] for name in names] for table in known]
