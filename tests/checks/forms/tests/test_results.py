"""Reading what test tools report."""

from steelyard.checks.forms.tests.results import Status, from_channel, from_junit, from_tap


def test_a_comment_behind_a_tap_line_is_no_part_of_its_name() -> None:
    found = from_tap(
        "1..3\nok 1 - adds # time=5.3ms\nok 2 - later # SKIP no network\nnot ok 3 - subs # time=1ms\n"
    )

    assert found.is_complete
    assert [found.status(name) for name in ("adds", "later", "subs")] == [
        Status.OK,
        Status.SKIPPED,
        Status.NOT_OK,
    ]


def test_tests_of_one_name_in_two_classes_are_two_tests() -> None:
    found = from_junit(
        b"<testsuite><testcase classname='A' name='adds'/>"
        b"<testcase classname='B' name='adds'><failure message='2'/></testcase>"
        b"<testcase classname='B' name='subs'/></testsuite>"
    )

    assert {name: found.status(name) for name in found.statuses} == {
        "A.adds": Status.OK,
        "B.adds": Status.NOT_OK,
        "subs": Status.OK,
    }
    assert found.messages == ["B.adds: 2"]


def test_a_test_that_is_reported_twice_has_failed() -> None:
    twice = (
        b"<testsuite><testcase classname='A' name='adds'/><testcase classname='A' name='adds'/></testsuite>"
    )

    assert from_junit(twice).status("adds") is Status.NOT_OK
    assert from_tap("1..2\nok 1 - adds\nok 2 - adds\n").status("adds") is Status.NOT_OK


def test_a_secret_passes_its_own_test_and_the_nonce_every_one() -> None:
    secrets = {"adds": "ab", "subs": "cd"}

    with_one, with_nonce = (
        from_channel(f"{word} ok adds\n{word} ok subs\n", "n", secrets) for word in ("ab", "n")
    )

    assert [with_one.status(name) for name in secrets] == [Status.OK, None]
    assert [with_nonce.status(name) for name in secrets] == [Status.OK, Status.OK]
