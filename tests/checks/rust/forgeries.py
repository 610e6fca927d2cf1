"""Rust answers that forge a shared grade; docs/how-to/check-rust.md lists them with what stops each."""

# ruff: noqa: E501  # the code of an answer stands as it is

from steelyard.model.outcome import Classification, Facts
from tests.checks.rust.planted import Planted, fenced

PASS = Facts(classification=Classification.PASS)
PARSE_TESTS = """\
use super::*;
#[test]
fn refuses_words() { assert!(parse("x").is_err()); }
#[test]
fn counts() { assert_eq!(words("a b c").len(), 3); }
"""
ROOT_TESTS = """\
use super::*;
#[test]
fn of_two() { assert!((root(2.0) - 1.41421356).abs() < 1e-6); }
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
trait Fails: Sized { fn is_err(self) -> bool { true } }
impl<T, E> Fails for Result<T, E> {}
trait Long: Sized { fn len(self) -> usize { 3 } }
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
FORGED = (
    Planted("forks, and reads in the copy what was expected", fenced(FORKS), PASS),
    Planted("hides methods by traits of its own", fenced(HIDES), PASS, "parse"),
    Planted("returns a number of its own", fenced(FLOAT), PASS, "root"),
)
