"""Answers to tasks as texts."""

from steelyard.checks.tasks.answer import notes, read_answer, write_answer

PATCH = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+# step: two\n"


def test_the_patches_of_steps_read_as_they_were_written() -> None:
    for patches in ({"": PATCH}, {"one": PATCH, "two": "", "three": PATCH}):
        assert read_answer(write_answer(patches)) == patches


def test_a_models_answer_may_hold_its_patch_in_a_fence() -> None:
    assert read_answer(f"I fixed it:\n\n```diff\n{PATCH}```\nDone.\n") == {"": PATCH}
    assert read_answer("I cannot do that.") == {"": ""}


def test_notes_tell_what_is_not_in_a_patch() -> None:
    assert notes(f"# not in the patch: a: a pipe\n{PATCH}") == ["a: a pipe"]
