"""Right answers to all tasks in every language that has a driver, and wrong ones."""

# ruff: noqa: E501  # the code of an answer stands as it is

PYTHON = """
def add(a, b): return a + b
def mean(values): return sum(values) / len(values) if values else float("nan")
def greet(name): return f"hello {name}"
def flatten(lists): return [one for each in lists for one in each]
def lengths(words): return {word: len(word) for word in words}
def is_even(number): return number % 2 == 0
def last_name(names): return names[-1] if names else None
def divide(a, b): return a // b
def total(values): return sum(values)
def doubled(values): return [2 * one for one in values]
def ordered(values): values.sort(); return values
def bounds(values): return min(values), max(values)
"""
JAVASCRIPT = """
export function add(a, b) { return a + b }
export const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length
function greet(name) { return `hello ${name}` }
export async function flatten(lists) { return lists.flat() }
function lengths(words) { return Object.fromEntries(words.map((word) => [word, word.length])) }
function is_even(number) { return number % 2 === 0 }
function last_name(names) { return names.at(-1) }
function divide(a, b) { if (b === 0) throw new RangeError("zero"); return Math.floor(a / b) }
function total(values) { return values.reduce((a, b) => a + b, 0) }
function doubled(values) { return values.map((one) => 2 * one) }
function ordered(values) { return values.sort((a, b) => a - b) }
function bounds(values) { return [Math.min(...values), Math.max(...values)] }
"""
TYPESCRIPT = """
export function add(a: number, b: number): number { return a + b }
export const mean = (values: number[]): number => values.reduce((a, b) => a + b, 0) / values.length
export function greet(name: string): string { return `hello ${name}` }
export function flatten(lists: number[][]): number[] { return lists.flat() }
export function lengths(words: string[]): Map<string, number> { return new Map(words.map((word) => [word, word.length])) }
export function is_even(number: number): boolean { return number % 2 === 0 }
export function last_name(names: string[]): string | undefined { return names[names.length - 1] }
export function divide(a: number, b: number): number { if (b === 0) throw new RangeError("zero"); return Math.floor(a / b) }
export function total(values: number[]): number { return values.reduce((a, b) => a + b, 0) }
export function doubled(values: number[]): number[] { return values.map((one) => 2 * one) }
export function ordered(values: number[]): number[] { return values.sort((a, b) => a - b) }
export function bounds(values: number[]): [number, number] { return [Math.min(...values), Math.max(...values)] }
"""
RUST = """
use std::collections::HashMap;
fn add(a: i64, b: i64) -> i64 { a + b }
fn mean(values: &[f64]) -> f64 { values.iter().sum::<f64>() / values.len() as f64 }
fn greet(name: &str) -> String { format!("hello {name}") }
fn flatten(lists: Vec<Vec<i32>>) -> Vec<i32> { lists.concat() }
fn lengths(words: &Vec<String>) -> HashMap<&str, usize> { words.iter().map(|word| (word.as_str(), word.len())).collect() }
pub fn is_even(number: i32) -> bool { number % 2 == 0 }
fn last_name<'a>(names: &[&'a str]) -> Option<&'a str> { names.last().copied() }
fn divide(a: i32, b: i32) -> Result<i32, String> { a.checked_div(b).ok_or("zero".to_string()) }
fn total(values: &[i64]) -> i64 { values.iter().sum() }
fn doubled(values: Vec<i64>) -> Vec<i64> { values.iter().map(|one| 2 * one).collect() }
fn ordered(values: &mut Vec<i32>) -> &Vec<i32> { values.sort(); values }
fn bounds(values: Vec<i32>) -> (i32, i32) { (*values.iter().min().unwrap(), *values.iter().max().unwrap()) }
"""
GO = """
package answer

import ("math"; "sort")

func add(a, b int) int { return a + b }
func mean(values []float64) float64 { sum := 0.0; for _, one := range values { sum += one }; if len(values) == 0 { return math.NaN() }; return sum / float64(len(values)) }
func greet(name string) string { return "hello " + name }
func flatten(lists [][]int) []int { made := []int{}; for _, each := range lists { made = append(made, each...) }; return made }
func lengths(words []string) map[string]int { made := map[string]int{}; for _, word := range words { made[word] = len(word) }; return made }
func is_even(number int) bool { return number%2 == 0 }
func last_name(names []string) *string { if len(names) == 0 { return nil }; return &names[len(names)-1] }
func divide(a, b int) int { return a / b }
func total(values []int64) int64 { var sum int64; for _, one := range values { sum += one }; return sum }
func doubled(values []int) (made []int) { for _, one := range values { made = append(made, 2*one) }; return }
func ordered(values []int) []int { sort.Ints(values); return values }
func bounds(values []int) (int, int) { sort.Ints(values); return values[0], values[len(values)-1] }
"""
JAVA = """
import java.util.*;
public class Tasks {
    public static long add(long a, long b) { return a + b; }
    static double mean(double[] values) { return Arrays.stream(values).average().orElse(Double.NaN); }
    static String greet(String name) { return "hello " + name; }
    static List<Integer> flatten(List<List<Integer>> lists) { List<Integer> made = new ArrayList<>(); lists.forEach(made::addAll); return made; }
    static Map<String, Integer> lengths(List<String> words) { Map<String, Integer> made = new TreeMap<>(); for (String word : words) made.put(word, word.length()); return made; }
    boolean is_even(int number) { return number % 2 == 0; }
    static Optional<String> last_name(List<String> names) { return names.isEmpty() ? Optional.empty() : Optional.of(names.get(names.size() - 1)); }
    static int divide(int a, int b) { return a / b; }
    static long total(long[] values) { return Arrays.stream(values).sum(); }
    static int[] doubled(int[] values) { return Arrays.stream(values).map(one -> 2 * one).toArray(); }
    static Integer[] ordered(Integer[] values) { Arrays.sort(values); return values; }
    static int[] bounds(int[] values) { Arrays.sort(values); return new int[] {values[0], values[values.length - 1]}; }
}
"""
CPP = """
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>
using namespace std;
long long add(long long a, long long b) { return a + b; }
double mean(const vector<double>& values) { return values.empty() ? NAN : accumulate(values.begin(), values.end(), 0.0) / values.size(); }
string greet(string name) { return "hello " + name; }
vector<int> flatten(vector<vector<int>> lists) { vector<int> made; for (auto& each : lists) made.insert(made.end(), each.begin(), each.end()); return made; }
map<string, int> lengths(const vector<string>& words) { map<string, int> made; for (auto& word : words) made[word] = word.size(); return made; }
bool is_even(int number) { return number % 2 == 0; }
optional<string> last_name(vector<string>& names) { if (names.empty()) return nullopt; return names.back(); }
int divide(int a, int b) { if (!b) throw domain_error("zero"); return a / b; }
long long total(vector<long long> values) { return accumulate(values.begin(), values.end(), 0LL); }
vector<int> doubled(vector<int> values) { for (int& one : values) one *= 2; return values; }
vector<int>& ordered(vector<int>& values) { sort(values.begin(), values.end()); return values; }
pair<int, int> bounds(vector<int> values) { return {*min_element(values.begin(), values.end()), *max_element(values.begin(), values.end())}; }
int main() { return 1; }
"""
C = """
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
long long add(long long a, long long b) { return a + b; }
double mean(const double *values, size_t count) { double sum = 0; for (size_t i = 0; i < count; i++) sum += values[i]; return count ? sum / count : NAN; }
char *greet(const char *name) { char *made = malloc(strlen(name) + 7); strcpy(made, "hello "); return strcat(made, name); }
bool is_even(int number) { return number % 2 == 0; }
const char *last_name(char **names, size_t count) { return count ? names[count - 1] : NULL; }
long long total(const long long *values, size_t count) { long long sum = 0; for (size_t i = 0; i < count; i++) sum += values[i]; return sum; }
long long *doubled(const long long *values, size_t count, size_t *made) { long long *list = malloc(count * 8 + 1); for (size_t i = 0; i < count; i++) list[i] = 2 * values[i]; *made = count; return list; }
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
void ordered(int *values, size_t count) { qsort(values, count, sizeof *values, compare); }
int main(void) { return 1; }
"""
RIGHT = {
    "python": PYTHON,
    "javascript": JAVASCRIPT,
    "typescript": TYPESCRIPT,
    "rust": RUST,
    "go": GO,
    "java": JAVA,
    "cpp": CPP,
    "c": C,
}
# What makes an answer wrong, function by function.
SLIPS = {
    "a + b": "a - b",
    "% 2 == 0": "% 2 != 0",
    "%2 == 0": "%2 != 0",
    "% 2 === 0": "% 2 !== 0",
    "hello ": "hallo ",
}
SLIPPED = ("add", "greet", "is_even")


def fenced(language: str, code: str) -> str:
    """Return an answer as a model gives it."""
    return f"Here you are:\n\n```{language}\n{code}\n```\n"


def wrong(language: str) -> str:
    """Return an answer with a slip in each function of `SLIPPED`."""
    code = RIGHT[language]
    for right, slip in SLIPS.items():
        code = code.replace(right, slip)
    return fenced(language, code)
