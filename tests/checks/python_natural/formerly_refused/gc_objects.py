# --- prompt
# A class `Node(value, parent=None)` with `children`; the parent is held weakly.
# --- right
import weakref


class Node:
    def __init__(self, value, parent=None):
        self.value = value
        self.children = []
        self._parent = weakref.ref(parent) if parent else lambda: None
        if parent:
            parent.children.append(self)

    @property
    def parent(self):
        return self._parent()
# --- wrong
import weakref


class Node:
    def __init__(self, value, parent=None):
        self.value = value
        self.children = []
        self._parent = lambda: parent
        if parent:
            parent.children.append(self)

    @property
    def parent(self):
        return self._parent()
# --- tests
import gc

from solution import Node


def test_no_cycle():
    gc.disable()
    try:
        root = Node("root")
        child = Node("child", root)
        assert child.parent is root
        del root
        assert not [o for o in gc.get_objects() if isinstance(o, Node) and o.value == "root"]
        assert child.parent is None
    finally:
        gc.enable()
