"""The cases that the Rust answers of the tests are given to."""

from dataclasses import replace

from steelyard.model.case import Case, Expectations

SUM_TESTS = """\
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_nothing() {
        assert_eq!(sum(&[]), 0);
    }

    #[test]
    fn of_some() {
        assert_eq!(sum(&[1, 2, 3]), 6, "sum of {:?}", vec![1, 2, 3]);
    }

    #[test]
    fn of_negative_numbers() {
        assert!(sum(&[-1, -2]) == -3);
    }
}
"""
STACK_TESTS = """\
use super::*;

fn filled() -> Stack<i32> {
    let mut stack = Stack::new();
    stack.push(1);
    stack.push(2);
    stack
}

#[test]
fn gives_back_the_last() {
    assert_eq!(filled().pop(), Some(2));
}

mod when_empty {
    use super::*;

    #[test]
    fn gives_nothing() {
        assert!(matches!(Stack::<i32>::new().pop(), None));
    }

    #[test]
    #[should_panic(expected = "empty")]
    fn has_no_top() {
        Stack::<i32>::new().top();
    }
}

#[test]
#[ignore = "takes long"]
fn is_fast() {
    unreachable!();
}
"""
WORDS_TESTS = """\
use std::collections::HashMap;

#[test]
fn greets() -> Result<(), String> {
    let text: String = greet("Zoë")?;
    assert_eq!(text, "Hello, Zoë!");
    Ok(())
}

#[test]
fn refuses_nobody() {
    assert_eq!(greet(""), Err("nobody".to_string()));
}

#[test]
fn counts() {
    let expected: HashMap<String, usize> = HashMap::from([("a".to_string(), 2), ("b".to_string(), 1)]);
    assert_eq!(count_words("a b a"), expected);
}
"""
CALLBACK_TESTS = """\
use std::sync::atomic::{AtomicUsize, Ordering};

static CALLS: AtomicUsize = AtomicUsize::new(0);

#[test]
fn calls_back_with_each() {
    each(&[5, 5], |value| {
        CALLS.fetch_add(1, Ordering::SeqCst);
        assert_eq!(value, 5);
    });
    assert_eq!(CALLS.load(Ordering::SeqCst), 2);
}
"""
EQUAL_TESTS = """\
#[test]
fn is_six() {
    let values = [1, 2, 3];
    assert!(sum(&values) == 6);
}

#[test]
fn is_not_seven() {
    assert!(!values().is_empty() && sum(&values()) != 7);
    debug_assert!(sum(&[1, 2]) == values().iter().take(2).sum::<i64>() && 1 << 2 == 4, "{{}} {}", 1);
    assert!(values()
        != vec![7],
        "values {:?}", values());
    assert!([1_u8, 2][0] == 1 && true || false);
    assert!(values().iter().any(|v| *v == 2));
    assert!(matches!(values().len(), 3 | 4),);
    assert!(values().len() as u8 == 3,);
}

fn values() -> Vec<i64> {
    vec![1, 2, 3]
}
"""
MACRO_TESTS = """\
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_largest() {
        assert_eq!(largest!(1, 3, 2), 3);
        assert_eq!(largest!(7), 7);
    }
}
"""


def rust_case(name: str, tests: str, **asked: object) -> Case:
    """A case with these tests and, if given, other demands."""
    expectations = replace(Expectations(tests=tests), **asked)  # type: ignore[arg-type] # named by the caller
    return Case(id=name, language="rust", timeout_s=20, expectations=expectations)


CASES = {
    "sum": rust_case("sum", SUM_TESTS),
    "stack": rust_case("stack", STACK_TESTS),
    "words": rust_case("words", WORDS_TESTS),
    "macro": rust_case("macro", MACRO_TESTS),
    "hurried": replace(rust_case("hurried", SUM_TESTS), timeout_s=1),
    "callback": rust_case("callback", CALLBACK_TESTS),
    "written =": rust_case("written =", EQUAL_TESTS),
    "untested": rust_case("untested", ""),
    "broken": rust_case("broken", "", should_build=False),
    "wrong on purpose": rust_case("wrong on purpose", SUM_TESTS, should_pass_tests=False),
    "named": rust_case("named", SUM_TESTS, functions=("sum", "helper"), types=("Total",)),
    "clean": rust_case("clean", SUM_TESTS, max_lint_warnings=0),
    "short": rust_case(
        "short", SUM_TESTS, custom_check='test "$(wc -l)" -le 3 || { echo too long >&2; exit 1; }'
    ),
    "own equality": rust_case(
        "own equality",
        "#[test]\nfn is_two() {\n    assert_eq!(super::Two, 2);\n}\n",
        settings={"equality": "own"},
    ),
    "exporting": rust_case("exporting", SUM_TESTS, settings={"exports": "allowed"}),
    "own option": rust_case(
        "own option", "#[test]\nfn holds() {\n    assert!(Option::Some(1).is_full());\n}\n", types=("Option",)
    ),
    "repair": replace(
        rust_case("repair", SUM_TESTS),
        files={"src/lib.rs": "pub fn sum(values: &[i64]) -> i64 {\n    values.iter().product()\n}\n"},
    ),
}
