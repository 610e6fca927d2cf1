# --- prompt
# A class `Registry` with `add(thing)` and `len()`, which does not keep things alive.
# --- right
import weakref


class Registry:
    def __init__(self):
        self._things = weakref.WeakSet()

    def add(self, thing):
        self._things.add(thing)

    def __len__(self):
        return len(self._things)
# --- wrong
import weakref


class Registry:
    def __init__(self):
        self._things = set()

    def add(self, thing):
        self._things.add(thing)

    def __len__(self):
        return len(self._things)
# --- tests
import gc
import weakref

from solution import Registry


class Thing:
    pass


def test_dropped():
    registry, thing = Registry(), Thing()
    reference = weakref.ref(thing)
    registry.add(thing)
    assert len(registry) == 1
    del thing
    gc.collect()
    assert reference() is None
    assert len(registry) == 0
