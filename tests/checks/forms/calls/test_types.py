"""Usual types of arguments and results: right answers pass, and wrong ones that look like them fail."""

import pytest

from steelyard.checks.forms.calls.checker import CallsChecker
from steelyard.model.case import Case, Expectations
from steelyard.model.graded import Compare, FunctionCall, Plain
from steelyard.model.outcome import Classification, Outcome
from tests.checks.forms.calls.answers import fenced
from tests.checks.forms.calls.idioms import Idiom, named
from tests.checks.leftovers import used_sandbox

YES: Plain = True

TWICE: tuple[tuple[Plain, ...], Plain] = (([[1, 2], [1, 2], [3, 4]],), {"set": [[1, 2], [3, 4]]})
REPEATED = {
    "a Set of JavaScript": Idiom("javascript", "uniq", *TWICE, "export const uniq = p => new Set(p);"),
    "a Set of TypeScript": Idiom(
        "typescript",
        "uniq",
        *TWICE,
        "export function uniq(p: number[][]): Set<number[]> { return new Set(p); }",
    ),
    "a HashSet of Java": Idiom(
        "java",
        "uniq",
        *TWICE,
        "import java.util.*;\n"
        "class A { static Set<int[]> uniq(int[][] p) { return new HashSet<>(Arrays.asList(p)); } }",
    ),
    "a multiset of C++": Idiom(
        "cpp",
        "uniq",
        *TWICE,
        "#include <set>\n#include <vector>\nusing Pairs = std::vector<std::vector<int>>;\n"
        "std::multiset<std::vector<int>> uniq(const Pairs& p) { return {p.begin(), p.end()}; }",
    ),
}


@pytest.fixture(scope="module")
def checker() -> CallsChecker:
    return CallsChecker(used_sandbox())


def checked(checker: CallsChecker, idiom: Idiom, *, compare: Compare | None = None) -> Outcome:
    """Return what came of one call of an answer."""
    call = FunctionCall(args=idiom.args, returns=idiom.returns)
    settings = {"signature": idiom.signature} if idiom.signature else {}
    wanted = Expectations(function=idiom.function, calls=(call,), settings=settings, compare=compare)
    case = Case(id="types", language=idiom.language, timeout_s=60.0, expectations=wanted)
    return checker.check(case, fenced(idiom.language, idiom.code))


@pytest.mark.parametrize("idiom", REPEATED.values(), ids=named(REPEATED))
def test_a_set_that_lists_an_element_twice_is_not_the_expected_one(
    idiom: Idiom, checker: CallsChecker
) -> None:
    exact, loose = checked(checker, idiom), checked(checker, idiom, compare=Compare.SET)

    assert exact.facts.classification is Classification.FAIL, exact.detail
    assert loose.facts.classification is Classification.PASS, loose.detail


MANY = "class A { static int f(int... all) { int s = 0; for (int x : all) s += x; return s; } }"
ENTRIES = (
    "import java.util.*;\nclass A {\n"
    "  static List<Map.Entry<String, Integer>> f(String a) { return List.of(Map.entry(a, 1)); } }"
)
TYPES = {
    "a coroutine of Python": Idiom(
        "python",
        "f",
        (1,),
        [1, 2],
        "import asyncio\n\nasync def f(n):\n    await asyncio.sleep(0)\n    return [n, n + 1]",
    ),
    "entries of Java": Idiom("java", "f", ("a",), [["a", 1]], ENTRIES),
    "a StringBuilder of Java": Idiom(
        "java",
        "f",
        ("abc",),
        "cba",
        "class A { static StringBuilder f(String s) { return new StringBuilder(s).reverse(); } }",
    ),
    "an enum of Java": Idiom(
        "java",
        "f",
        (1,),
        "TWO",
        'class A { enum K { ONE, TWO { public String toString() { return "2"; } } }'
        " static K f(int n) { return K.values()[n]; } }",
    ),
    "a list for many parameters of Java": Idiom("java", "f", ([1, 2, 3],), 6, MANY),
    "numbers for many parameters of Java": Idiom("java", "f", (1, 2, 3), 6, MANY),
    "one number for many parameters of Java": Idiom("java", "f", (7,), 7, MANY),
    "a wide number for many parameters of Java": Idiom(
        "java", "f", (2**60,), 2**60, "class A { static long f(long... all) { return all[0]; } }"
    ),
    "bytes for many parameters of Java": Idiom(
        "java", "f", ({"bytes": "AP8="},), -1, "class A { static int f(byte... all) { return all[1]; } }"
    ),
    "nothing for many parameters of Java": Idiom("java", "f", (), 0, MANY),
    "texts for many parameters of Java": Idiom(
        "java",
        "f",
        ("-", "a", "b"),
        "a-b",
        "class A { static String f(String by, String... all) { return String.join(by, all); } }",
    ),
    "an overload of Java beside many parameters": Idiom(
        "java",
        "f",
        (1, 2),
        2,
        "class A { static int f(int... all) { return 0; } static int f(int a, int b) { return a * b; } }",
    ),
    "bytes of Java for a list": Idiom(
        "java",
        "f",
        ([1, 2],),
        [1, 255],
        "class A { static byte[] f(int[] a) { return new byte[] {1, -1}; } }",
    ),
    "bytes of JavaScript for a list": Idiom(
        "javascript", "f", (1,), [1, 255], "export const f = (n) => new Uint8Array([n, 255]);"
    ),
    "collections of Java": Idiom(
        "java",
        "f",
        ([5, 3], [5, 3], [5, 3], [5, 3]),
        [3, 5, 3, 3],
        "import java.util.*;\nclass A { static List<Integer> f(Stack<Integer> a, ArrayDeque<Integer> b,\n"
        "    PriorityQueue<Integer> c, Vector<Integer> d) {\n"
        "  return List.of(a.pop(), b.poll(), c.poll(), d.get(1)); } }",
    ),
    "a truth value of C by its signature": Idiom(
        "c", "f", ("a",), YES, "int f(const char *s) { return s[0]; }", "bool f(const char *s)"
    ),
    "views and orders of C++": Idiom(
        "cpp",
        "f",
        ([1, 2, 3], {"b": 1, "a": 2}, [3, 1, 3], {"set": ["x"]}),
        [6, 2, 3, 1],
        "#include <span>\n#include <map>\n#include <set>\n#include <vector>\n#include <string>\n"
        "using Names = std::map<std::string, int, std::less<>>;\n"
        "std::vector<int> f(std::span<const int> a, const Names& b, const std::multiset<int>& c,\n"
        "    const std::set<std::string, std::greater<>>& d) {\n"
        "  int s = 0;\n  for (int x : a) s += x;\n"
        '  return {s, b.find("a")->second, (int)c.size(), (int)d.size()}; }',
    ),
    "a complex number of C++": Idiom(
        "cpp",
        "f",
        ({"complex": [2.0, 3.0]},),
        {"complex": [-5.0, 12.0]},
        "#include <complex>\nstd::complex<double> f(std::complex<double> a) { return a * a; }",
    ),
    "pointers of C++ that own": Idiom(
        "cpp",
        "f",
        (3,),
        [[3], 4, None],
        "#include <memory>\n#include <vector>\n#include <tuple>\n"
        "using Items = std::unique_ptr<std::vector<int>>;\n"
        "std::tuple<Items, std::shared_ptr<int>, std::shared_ptr<int>> f(int n) {\n"
        "  return {std::make_unique<std::vector<int>>(1, n), std::make_shared<int>(n + 1), nullptr}; }",
    ),
    "a multiset of C++ for a list": Idiom(
        "cpp",
        "f",
        ([3, 1, 3],),
        [1, 3, 3],
        "#include <set>\n#include <vector>\n"
        "std::multiset<int> f(const std::vector<int>& v) { return {v.begin(), v.end()}; }",
    ),
    "sets of C++": Idiom(
        "cpp",
        "f",
        (1,),
        [{"set": [1]}, {"set": [2]}, [True, False]],
        "#include <set>\n#include <unordered_set>\n#include <tuple>\n#include <vector>\n"
        "std::tuple<std::set<int>, std::unordered_set<int>, std::vector<bool>> f(int) {\n"
        "  return {{1}, {2}, {true, false}}; }",
    ),
    "a lambda of C++": Idiom(
        "cpp",
        "f",
        ([1, 2],),
        2,
        "#include <vector>\nauto f = [](const std::vector<int>& v) { return (int)v.size(); };",
    ),
    "shared values of Rust": Idiom(
        "rust",
        "f",
        ([3, 1], "a"),
        [[1, 3], ["a"]],
        "use std::rc::Rc;\nuse std::sync::Arc;\n"
        "pub fn f(v: Rc<Vec<i32>>, s: Arc<String>) -> (Rc<Vec<i32>>, Arc<[String]>) {\n"
        "    let mut v = (*v).clone();\n    v.sort();\n    (Rc::new(v), Arc::from([(*s).clone()]))\n}",
    ),
}


@pytest.mark.parametrize("idiom", TYPES.values(), ids=named(TYPES))
def test_a_usual_type_passes(idiom: Idiom, checker: CallsChecker) -> None:
    outcome = checked(checker, idiom)

    assert outcome.facts.classification is Classification.PASS, outcome.detail


FAIL, BUILD = Classification.FAIL, Classification.BUILD_ERROR
SAID = {
    "a coroutine of Python that raises": (
        Idiom("python", "f", (1,), 1, "async def f(n):\n    raise KeyError(n)"),
        FAIL,
        "raised KeyError",
    ),
    "a coroutine of Python that gives something else": (
        Idiom("python", "f", (1,), 1, "async def f(n):\n    return n + 1"),
        FAIL,
        "returned 2, expected 1",
    ),
    "a generator of JavaScript": (
        Idiom("javascript", "f", (1,), [1], "export function* f(n) { yield n; }"),
        FAIL,
        "returned a Generator, which is not plain data",
    ),
    "other bytes of JavaScript": (
        Idiom("javascript", "f", (1,), [1, 256], "export const f = (n) => new Uint8Array([n, 256]);"),
        FAIL,
        "returned b'\\x01\\x00', expected [1, 256]",
    ),
    "a class of Java that needs an argument": (
        Idiom("java", "f", (1,), 1, "class A { A(int k) {} int f(int n) { return n; } }"),
        FAIL,
        "call 1: the method is not static, and an object of class A cannot be made without arguments, exp",
    ),
    "too few arguments in Java": (
        Idiom("java", "f", (1,), 1, "class A { static int f(int a, int b) { return a; } }"),
        FAIL,
        "call 1: there is no method f with 1 parameters, expected 1",
    ),
    "too few arguments for many parameters in Java": (
        Idiom("java", "f", (), 1, "class A { static int f(int a, int... all) { return a; } }"),
        FAIL,
        "call 1: there is no method f with 0 parameters, expected 1",
    ),
    "too few arguments in C++": (
        Idiom("cpp", "f", (1,), 1, "int f(int a, int b) { return a; }"),
        FAIL,
        "the call has another number of arguments",
    ),
    "a parameter of C++ that calls cannot pass": (
        Idiom("cpp", "f", (1,), 1, "struct Own { int x; };\nint f(Own one) { return one.x; }"),
        BUILD,
        "calls cannot pass this type",
    ),
    "a result of C++ that calls cannot pass": (
        Idiom("cpp", "f", (1,), 1, "struct Own { int x; };\nOwn f(int one) { return {one}; }"),
        BUILD,
        "calls cannot pass the type of this result",
    ),
    "a pointer of C++ for a truth value": (
        Idiom("cpp", "f", (1,), YES, "int *f(int one) { return new int(one); }"),
        BUILD,
        "calls cannot pass the type of this result",
    ),
    "a type of Rust that calls cannot pass": (
        Idiom("rust", "f", (1,), 1, "pub struct Own(i32);\npub fn f(one: i32) -> Own { Own(one) }"),
        BUILD,
        "the trait bound `fn(i32) -> Own {f}: TakesAndReturnsPlainData<_>` is not satisfied",
    ),
    "no truth value of C": (
        Idiom("c", "f", (1,), YES, "int f(int one) { return 0; }", "bool f(int one)"),
        FAIL,
        "returned False, expected True",
    ),
}


@pytest.mark.parametrize(
    ("idiom", "kind", "said"), SAID.values(), ids=named({name: idiom for name, (idiom, *_) in SAID.items()})
)
def test_what_does_not_pass_is_said_in_words(
    idiom: Idiom, kind: Classification, said: str, checker: CallsChecker
) -> None:
    outcome = checked(checker, idiom)

    assert (outcome.facts.classification, said in outcome.detail) == (kind, True), outcome.detail
