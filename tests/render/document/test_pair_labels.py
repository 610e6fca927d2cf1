from steelyard.render.document.blocks import Name, Section
from steelyard.render.document.pair_labels import PairLabels
from tests.analysis.comparisons import pair, ref
from tests.render.document.reading import columns


def test_one_model_under_two_names_is_not_several() -> None:
    sides = PairLabels.of([pair("old", "new")], [ref("x", model="old"), ref("y", model="new")])

    assert not sides.has_models
    assert sides.pair(pair("old", "new")) == (Name("old"), " → ", Name("new"))


def test_a_case_of_somebody_else_makes_several() -> None:
    assert PairLabels.of([pair("a", "a")], [ref("x", model="b")]).has_models
    assert not PairLabels.of([pair("a", "a")], [ref("x", model="a")]).has_models


def test_tiers_make_subjects_of_models() -> None:
    one, two = PairLabels.of([pair("a", "a")]), PairLabels.of([pair("a", "a"), pair("a", "a", tier="T1")])

    assert (one.noun, two.noun) == ("model", "subject")
    assert two.pair(pair("a", "a", tier="T1")) == (Name("a"), " in ", Name("T1"))


def test_a_table_of_pairs_has_two_columns_only_when_the_names_differ() -> None:
    same = [pair("a", "a"), pair("b", "b", tier="T1")]
    renamed = [pair("old", "new")]
    both = [pair("old", "new"), pair("b", "b", tier="T1")]

    assert columns(Section(columns=PairLabels.of(same).pair_columns(same))) == {
        "model": ["a", "b"],
        "tier": ["T0", "T1"],
    }
    assert columns(Section(columns=PairLabels.of(renamed).pair_columns(renamed))) == {
        "baseline": ["old"],
        "current": ["new"],
    }
    assert columns(Section(columns=PairLabels.of(both).pair_columns(both))) == {
        "baseline": ["old in T0", "b in T1"],
        "current": ["new in T0", "b in T1"],
    }
