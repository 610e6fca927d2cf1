import pytest

from wc import main


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text("one two\nthree\n", encoding="utf-8")
    (tmp_path / "b.txt").write_text("grüße", encoding="utf-8")
    (tmp_path / "empty.txt").touch()


pytestmark = pytest.mark.usefixtures("files")


def run(capsys, *argv):
    status = main(list(argv))
    out, err = capsys.readouterr()
    return status, out.splitlines(), err


def test_all_columns(capsys):
    assert run(capsys, "a.txt") == (0, ["2 3 14 a.txt"], "")


@pytest.mark.parametrize(
    "options, line",
    [
        (["-l"], "2 a.txt"),
        (["--words"], "3 a.txt"),
        (["-c", "-l"], "2 14 a.txt"),
        (["-lwc"], "2 3 14 a.txt"),
    ],
)
def test_columns(capsys, options, line):
    status, out, err = run(capsys, *options, "a.txt")
    assert status == 0
    assert out == [line]
    assert not err


def test_no_newline_at_end(capsys):
    _, out, _ = run(capsys, "b.txt")
    assert out == ["0 1 5 b.txt"]


def test_total(capsys):
    _, out, _ = run(capsys, "a.txt", "b.txt", "empty.txt")
    assert out[-1] == "2 4 19 total"
    assert len(out) == 4


def test_missing_file(capsys):
    status, out, err = run(capsys, "nope.txt", "a.txt")
    assert status == 1
    assert err == "wc: nope.txt: No such file or directory\n"
    assert out == ["2 3 14 a.txt", "2 3 14 total"]


def test_no_arguments(capsys):
    with pytest.raises(SystemExit) as info:
        main([])
    assert info.value.code == 2
    assert "usage: wc" in capsys.readouterr().err
