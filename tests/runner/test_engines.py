from steelyard.runner.engines import LocalEngine
from tests.runner.work import Errand, run


def test_the_local_engine_gives_results_in_order() -> None:
    engine = LocalEngine(threads=3)

    results = list(engine.map(run, [Errand(number=number) for number in (3, 1, 2)]))

    engine.close()
    assert results == [3, 1, 2]
    assert (engine.parts, engine.threads) == (1, 3)
