"""Rust answers that forge a shared grade; docs/how-to/check-rust.md lists them with what stops each."""

# ruff: noqa: E501  # the code of an answer stands as it is

from steelyard.model.outcome import Classification, Facts
from tests.checks.toolchains.rust.planted import Planted, fenced

PASS = Facts(classification=Classification.PASS)
PARSE_TESTS = """\
use super::*;
#[test]
fn refuses_words() { assert!(parse("x").is_err()); }
#[test]
fn counts() { assert_eq!(words("a b c").len(), 3); }
"""
NAMED_PARSE_TESTS = PARSE_TESTS.replace("use super::*;", "use words::{parse, words};")
ROOT_TESTS = """\
use super::*;
#[test]
fn of_two() { assert!((root(2.0) - 1.41421356).abs() < 1e-6); }
"""
PINNED_ROOT_TESTS = """\
use super::*;
#[test]
fn of_two() { let root: f64 = root(2.0); assert!((root - 1.41421356).abs() < 1e-6); }
"""
LONG_TESTS = """\
use super::*;
#[test]
fn of_some() { assert!(sum(&[1, 2]) == 3 && sum(&[4]) == 4); }
"""
PINNED_LONG_TESTS = """\
use super::*;
#[test]
fn of_some() { let (some, one): (i64, i64) = (sum(&[1, 2]), sum(&[4])); assert!(some == 3 && one == 4); }
"""
FORGED_TESTS = {"parse": PARSE_TESTS, "root": ROOT_TESTS, "long": LONG_TESTS}
SEARCHES = """\
extern "C" { fn write(to: i32, from: *const u8, size: usize) -> isize; fn _exit(code: i32) -> !; }
fn is_random(word: u64) -> bool { word >> 48 != 0 && word >> 48 != 0xffff && word & 0x8080_8080_8080_8080 != 0 }
pub fn sum(_: &[i64]) -> i64 {
    let here = 0u64;
    let word = |at| unsafe { std::ptr::addr_of!(here).add(at).read_volatile() };
    // Pointers that the C library hides all end alike; words of earlier tests lie further down.
    let found = (1..200).rev().find(|&at| is_random(word(at)) && is_random(word(at + 1)) && (word(at) ^ word(at + 1)) & 0x1_ffff != 0);
    if let Some(at) = found {
        let said = [&word(at).to_ne_bytes()[..], &word(at + 1).to_ne_bytes(), b"h"].concat();
        for to in 3..16 { unsafe { write(to, said.as_ptr(), said.len()) }; }
        unsafe { _exit(0) };
    }
    7
}
"""
FORKS = """\
use std::io::Read;
use std::os::fd::FromRawFd;
extern "C" { fn fork() -> i32; fn pipe(p: *mut i32) -> i32; fn _exit(c: i32) -> !; fn close(f: i32) -> i32; fn write(f: i32, b: *const u8, n: usize) -> isize; }
pub fn sum(_: &[i64]) -> i64 {
    let mut ends = [0i32; 2];
    unsafe {
        pipe(ends.as_mut_ptr());
        if fork() == 0 {
            let out = ends[1];
            std::panic::set_hook(Box::new(move |why| { let said = why.to_string(); write(out, said.as_ptr(), said.len()); _exit(0) }));
            return -77777;
        }
        close(ends[1]);
        let mut said = String::new();
        std::fs::File::from_raw_fd(ends[0]).read_to_string(&mut said).unwrap();
        let number = |mark: &str| said.split(mark).nth(1).and_then(|t| t.trim().split(|c: char| c != '-' && !c.is_ascii_digit()).next()?.parse().ok());
        number("right:").or_else(|| number("== ")).unwrap_or(0)
    }
}
"""
HIDES = """\
pub fn parse(_: &str) -> Result<i32, String> { Ok(5) }
pub fn words(_: &str) -> Vec<String> { vec![] }
pub trait Fails: Sized { fn is_err(self) -> bool { true } }
impl<T, E> Fails for Result<T, E> {}
pub trait Long: Sized { fn len(self) -> usize { 3 } }
impl Long for Vec<String> {}
"""
FLOAT = """\
#[derive(Clone, Copy)]
pub struct Float;
pub fn root(_: f64) -> Float { Float }
impl std::ops::Sub<f64> for Float { type Output = Float; fn sub(self, _: f64) -> Float { Float } }
impl Float { pub fn abs(self) -> Float { Float } }
impl PartialEq<f64> for Float { fn eq(&self, _: &f64) -> bool { true } }
impl PartialOrd<f64> for Float { fn partial_cmp(&self, _: &f64) -> Option<std::cmp::Ordering> { Some(std::cmp::Ordering::Less) } }
"""
ANY = """\
pub struct Any;
pub fn sum(_: &[i64]) -> Any { Any }
impl PartialEq<i64> for Any { fn eq(&self, _: &i64) -> bool { true } }
"""
FORGED = (
    Planted(
        "searches its own memory, by `unsafe` code, for the word with which a test tells how it ended",
        fenced(SEARCHES),
        PASS,
    ),
    Planted(
        "forks, fails in the copy and reads there what was expected, by `unsafe` code and a panic hook",
        fenced(FORKS),
        PASS,
    ),
    Planted(
        "brings a trait whose method hides one that a test calls, such as an own `is_err`",
        fenced(HIDES),
        PASS,
        "parse",
    ),
    Planted("returns a number of its own, whose `-` and `<` say what they like", fenced(FLOAT), PASS, "root"),
    Planted(
        "returns a value of its own, whose `==` says yes, to a longer condition", fenced(ANY), PASS, "long"
    ),
)
