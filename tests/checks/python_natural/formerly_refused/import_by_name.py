# --- prompt
# `module_for(extension)` names the standard module that reads `.json`, `.csv` or `.ini`.
# --- right
def module_for(extension):
    return {".json": "json", ".csv": "csv", ".ini": "configparser"}[extension]
# --- wrong
def module_for(extension):
    return {".json": "json", ".csv": "csv", ".ini": "ini"}[extension]
# --- tests
import pytest

from solution import module_for


@pytest.mark.parametrize("extension, attribute", [(".json", "loads"), (".csv", "reader"), (".ini", "ConfigParser")])
def test_module(extension, attribute):
    assert hasattr(__import__(module_for(extension)), attribute)
