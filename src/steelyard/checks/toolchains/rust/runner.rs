//! Run graded tests, each in a process of its own, and tell over the channel how each one ended.
//!
//! This process never loads the answer. Its standard input holds the nonce in the first line, the symbols of the
//! tests in the second, and then the library with the answer and the tests. Only lines that begin with the nonce
//! count, and no process of an answer ever holds it. The library lies in a file only while it is being loaded,
//! so that an answer cannot read there what the tests expect.

use std::ffi::{c_char, c_int, c_long, c_void};

extern "C" {
    fn read(file: c_int, into: *mut c_void, size: usize) -> isize;
    fn write(file: c_int, from: *const c_void, size: usize) -> isize;
    fn close(file: c_int) -> c_int;
    fn open(path: *const c_char, flags: c_int) -> c_int;
    fn dup2(file: c_int, onto: c_int) -> c_int;
    fn pipe(ends: *mut c_int) -> c_int;
    fn fork() -> c_int;
    fn waitpid(pid: c_int, status: *mut c_int, options: c_int) -> c_int;
    fn fcntl(file: c_int, command: c_int, argument: c_int) -> c_int;
    fn prctl(option: c_int, argument: c_long, ...) -> c_int;
    fn dlopen(path: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
    fn getrandom(into: *mut c_void, size: usize, flags: u32) -> isize;
    fn _exit(code: c_int) -> !;
}

const SET_DUMPABLE: c_int = 4;
const SET_FLAGS: c_int = 4; // of fcntl
const NON_BLOCKING: c_int = 0o4000;
const READ_WRITE: c_int = 2;
const RESOLVE_NOW: c_int = 2;
const TOKEN: usize = 16;
const LIBRARY: &str = "libanswer.so";

fn main() {
    let channel: c_int = std::env::var("STEELYARD_CHANNEL").expect("a channel").parse().expect("a number");
    std::env::remove_var("STEELYARD_CHANNEL");
    // Now nobody of the same user may look into our memory or descriptors, not even we by /proc/self.
    unsafe { prctl(SET_DUMPABLE, 0) };
    let said = read_all(0);
    unsafe {
        let nothing = open(c"/dev/null".as_ptr(), READ_WRITE);
        dup2(nothing, 0);
        close(nothing);
    }
    let (nonce, rest) = cut(&said);
    let (symbols, library) = cut(rest);
    let secret = (said.as_ptr() as usize, nonce.len());
    for (number, symbol) in symbols.split(|byte| *byte == b' ').enumerate() {
        let symbol = [symbol, b"\0"].concat();
        let ended = match std::fs::write(LIBRARY, library) {
            Ok(()) => run(&symbol, channel, secret),
            Err(error) => format!("broken file: {error}"),
        };
        let mut line = [nonce, format!(" {number} {ended}\n").as_bytes()].concat();
        unsafe { write(channel, line.as_ptr().cast(), line.len()) };
        // The next child gets a copy of all our memory, also of what we gave back.
        std::hint::black_box(&mut line).fill(0);
        std::hint::black_box(&line);
    }
}

/// Run one test in a process of its own and return how it ended, in a few words.
fn run(symbol: &[u8], channel: c_int, secret: (usize, usize)) -> String {
    let mut ends = [0; 2];
    let mut token = [0_u8; TOKEN];
    unsafe {
        if pipe(ends.as_mut_ptr()) != 0 || getrandom(token.as_mut_ptr().cast(), TOKEN, 0) != TOKEN as isize {
            return "broken pipe".to_owned();
        }
        fcntl(ends[0], SET_FLAGS, NON_BLOCKING);
        let child = fork();
        if child == 0 {
            std::ptr::write_bytes(secret.0 as *mut u8, 0, secret.1);
            close(channel);
            close(ends[0]);
            fcntl(ends[1], 2, 1); // closes by itself when the answer starts another program
            child_main(symbol, ends[1], &token);
        }
        close(ends[1]);
        let mut status = 0;
        let ended = child > 0 && waitpid(child, &mut status, 0) == child;
        let mut said = [0_u8; TOKEN + 2];
        let size = read(ends[0], said.as_mut_ptr().cast(), said.len());
        close(ends[0]);
        let told = (size == TOKEN as isize + 1 && said[..TOKEN] == token).then_some(said[TOKEN]);
        match (ended, told) {
            (false, _) => "broken fork".to_owned(),
            (_, Some(b'h')) if status == 0 => "held".to_owned(),
            (_, Some(b'm')) if status == 0 => "missing".to_owned(),
            (_, Some(b'f')) if status == 0 => "failed".to_owned(),
            _ if status & 0x7f != 0 => format!("died {}", status & 0x7f),
            _ => format!("left {}", status >> 8),
        }
    }
}

/// Load the answer, run the test, and tell how it ended.
unsafe fn child_main(symbol: &[u8], tell: c_int, token: &[u8; TOKEN]) -> ! {
    prctl(SET_DUMPABLE, 0);
    let loaded = dlopen(c"./libanswer.so".as_ptr(), RESOLVE_NOW);
    let _ = std::fs::remove_file(LIBRARY);
    let found = if loaded.is_null() { loaded } else { dlsym(loaded, symbol.as_ptr().cast()) };
    let word = if found.is_null() {
        b'm'
    } else {
        let test: extern "C" fn() -> u32 = std::mem::transmute(found);
        if test() == 1 { b'h' } else { b'f' }
    };
    let mut line = [0_u8; TOKEN + 1];
    line[..TOKEN].copy_from_slice(token);
    line[TOKEN] = word;
    write(tell, line.as_ptr().cast(), line.len());
    _exit(0)
}

/// Read a descriptor to its end, into one place in memory that is wiped where it must not be seen.
fn read_all(file: c_int) -> Vec<u8> {
    // Growing would leave copies behind, so there is room for the largest library from the start.
    let mut said = vec![0_u8; 64 << 20];
    let mut size = 0;
    while size < said.len() {
        let got = unsafe { read(file, said[size..].as_mut_ptr().cast(), said.len() - size) };
        if got <= 0 {
            break;
        }
        size += got as usize;
    }
    said.truncate(size);
    said
}

/// Return the first line and what follows it.
fn cut(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text.iter().position(|byte| *byte == b'\n').unwrap_or(text.len());
    (&text[..end], &text[(end + 1).min(text.len())..])
}
