import os
from pathlib import Path

import pytest

import solution


@pytest.fixture(autouse=True)
def start_in_tmp(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def project(tmp_path):
    project = tmp_path / "project"
    (project / "src").mkdir(parents=True)
    return project


def test_changes_and_returns(project, tmp_path):
    with solution.pushd(project) as here:
        assert Path.cwd() == here == project.resolve()
    assert Path.cwd() == tmp_path.resolve()


def test_nested_relative(project, tmp_path):
    with solution.pushd("project"):
        with solution.pushd("src") as inner:
            assert inner.name == "src"
        assert Path.cwd().name == "project"


def test_returns_after_error(project, tmp_path):
    with pytest.raises(RuntimeError), solution.pushd(project):
        raise RuntimeError
    assert os.getcwd() == str(tmp_path.resolve())


def test_missing_directory(tmp_path):
    with pytest.raises(FileNotFoundError):
        with solution.pushd(tmp_path / "nope"):
            pytest.fail("the block must not run")


def test_sets_and_removes(monkeypatch):
    monkeypatch.delenv("APP_MODE", raising=False)
    with solution.environ(APP_MODE="test"):
        assert os.environ["APP_MODE"] == "test"
    assert "APP_MODE" not in os.environ


def test_restores_previous_value(monkeypatch):
    monkeypatch.setenv("APP_MODE", "prod")
    monkeypatch.setenv("APP_TOKEN", "abc")
    with solution.environ(APP_MODE="test", APP_TOKEN=None):
        assert os.getenv("APP_TOKEN") is None
        os.environ["APP_MODE"] = "changed"
    assert os.environ["APP_MODE"] == "prod"
    assert os.environ["APP_TOKEN"] == "abc"


def test_restores_after_error(monkeypatch):
    monkeypatch.setenv("APP_MODE", "prod")
    with pytest.raises(ZeroDivisionError):
        with solution.environ(APP_MODE="x"):
            1 / 0
    assert os.getenv("APP_MODE") == "prod"
