"""Choose samples of a run to show beside its report, with what their cases ask."""

from functools import cache

from steelyard.app.eval_texts import eval_texts
from steelyard.app.run_address import RunAddress, address_of
from steelyard.model.sample import CaseTexts, SampleExcerpt
from steelyard.model.state import CaseKey
from steelyard.store.run.excerpts import excerpts_of_run


def sample_excerpts(address: RunAddress, *, threads: int | None = None) -> tuple[SampleExcerpt, ...]:
    """Return samples of a run, first one of every case, then a second of every case, and so on.

    Each knows the prompt, the tests and the reference of its case, if the run was drawn from an eval set.
    """
    address = address_of(address)
    texts = eval_texts(str(address))
    of_case = cache(texts.about)

    def about(key: CaseKey) -> CaseTexts | None:
        return of_case(key.suite, key.case, key.tier)

    return excerpts_of_run(address, about, threads=threads)
