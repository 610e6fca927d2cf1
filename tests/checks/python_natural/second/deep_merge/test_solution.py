import copy

from solution import deep_merge

BASE = {
    "server": {"host": "localhost", "port": 8000, "tls": {"enabled": False}},
    "plugins": ["auth", "cache"],
    "debug": True,
}


def test_no_override():
    result = deep_merge(BASE)
    assert result == BASE
    assert result is not BASE


def test_scalar():
    assert deep_merge(BASE, {"debug": False})["debug"] is False


def test_nested():
    result = deep_merge(BASE, {"server": {"tls": {"enabled": True, "cert": "a.pem"}}})
    assert result["server"] == {"host": "localhost", "port": 8000, "tls": {"enabled": True, "cert": "a.pem"}}


def test_lists_are_replaced():
    assert deep_merge(BASE, {"plugins": ["gzip"]})["plugins"] == ["gzip"]


def test_several():
    result = deep_merge({"a": 1}, {"a": 2, "b": {"c": 1}}, {"b": {"d": 2}}, {"a": 3})
    assert result == {"a": 3, "b": {"c": 1, "d": 2}}


def test_none_removes():
    result = deep_merge(BASE, {"debug": None, "server": {"port": None}, "missing": None})
    assert "debug" not in result
    assert "missing" not in result
    assert sorted(result["server"]) == ["host", "tls"]


def test_dict_replaces_scalar_and_back():
    assert deep_merge({"a": 1}, {"a": {"b": 2, "c": None}}) == {"a": {"b": 2}}
    assert deep_merge({"a": {"b": 2}}, {"a": 1}) == {"a": 1}


def test_inputs_are_not_changed():
    base, override = copy.deepcopy(BASE), {"server": {"tls": {"enabled": True}}, "plugins": ["x"]}
    result = deep_merge(base, override)
    assert base == BASE
    result["server"]["tls"]["enabled"] = "changed"
    result["plugins"].append("y")
    assert base == BASE
    assert override == {"server": {"tls": {"enabled": True}}, "plugins": ["x"]}
