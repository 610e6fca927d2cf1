# --- prompt
# `write_plugin(path, name)` writes a module with `NAME` and a function `hello()` that returns `hello NAME`.
# --- right
def write_plugin(path, name):
    path.write_text(f"NAME = {name!r}\n\n\ndef hello():\n    return 'hello ' + NAME\n")
# --- wrong
def write_plugin(path, name):
    path.write_text(f"NAME = {name!r}\n\n\ndef hello():\n    return 'hello' + NAME\n")
# --- tests
import importlib.util as u

from solution import write_plugin


def test_plugin(tmp_path):
    path = tmp_path / "plugin.py"
    write_plugin(path, "ann")
    spec = u.spec_from_file_location("plugin", path)
    module = u.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.hello() == "hello ann"
