//! Calls a function of the answer, and writes each result as one line of JSON into the channel.
//! Runs in the answer's own process; what is expected is not here, so nothing here has to be trusted.
use ::std::borrow::Cow;
use ::std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList, VecDeque};
use ::std::fmt::Debug;
use ::std::hash::Hash;
use ::std::io::{Read, Write};
use ::std::os::fd::FromRawFd;
use ::std::panic::{catch_unwind, AssertUnwindSafe};
use ::std::rc::Rc;
use ::std::sync::Arc;

#[derive(Clone)]
pub enum Data { Null, Flag(bool), Number(String), Text(String), List(Vec<Data>), Table(Vec<(String, Data)>) }

struct Reader<'a> { text: &'a [u8], at: usize }

impl Reader<'_> {
    fn next(&mut self) -> u8 {
        while self.text[self.at].is_ascii_whitespace() { self.at += 1; }
        self.text[self.at]
    }
    fn read(&mut self) -> Data {
        match self.next() {
            b'{' => {
                let mut made = Vec::new();
                self.at += 1;
                while self.next() != b'}' {
                    if self.next() == b',' { self.at += 1; continue; }
                    let name = self.string();
                    self.next();
                    self.at += 1;
                    made.push((name, self.read()));
                }
                self.at += 1;
                Data::Table(made)
            }
            b'[' => {
                let mut made = Vec::new();
                self.at += 1;
                while self.next() != b']' {
                    if self.next() == b',' { self.at += 1 } else { made.push(self.read()) }
                }
                self.at += 1;
                Data::List(made)
            }
            b'"' => Data::Text(self.string()),
            b't' => { self.at += 4; Data::Flag(true) }
            b'f' => { self.at += 5; Data::Flag(false) }
            b'n' => { self.at += 4; Data::Null }
            _ => {
                let from = self.at;
                while self.at < self.text.len() && b"+-.eE0123456789".contains(&self.text[self.at]) { self.at += 1; }
                Data::Number(String::from_utf8_lossy(&self.text[from..self.at]).into_owned())
            }
        }
    }
    fn hex(&mut self) -> u32 {
        let digits = ::std::str::from_utf8(&self.text[self.at + 1..self.at + 5]).unwrap();
        self.at += 4;
        u32::from_str_radix(digits, 16).unwrap()
    }
    fn string(&mut self) -> String {
        let mut made = Vec::new();
        self.next();
        self.at += 1;
        while self.text[self.at] != b'"' {
            let mut one = self.text[self.at];
            if one == b'\\' {
                self.at += 1;
                one = match self.text[self.at] { b'b' => 8, b'f' => 12, b'n' => 10, b'r' => 13, b't' => 9, other => other };
                if self.text[self.at] == b'u' {
                    let mut code = self.hex();
                    if (0xd800..0xdc00).contains(&code) { self.at += 2; code = 0x10000 + ((code - 0xd800) << 10) + (self.hex().wrapping_sub(0xdc00) & 0x3ff); }
                    let letter = char::from_u32(code).unwrap_or('\u{fffd}');
                    made.extend(letter.to_string().as_bytes());
                    self.at += 1;
                    continue;
                }
            }
            made.push(one);
            self.at += 1;
        }
        self.at += 1;
        String::from_utf8_lossy(&made).into_owned()
    }
}

impl Data {
    /// What is in a tag, or the data itself.
    fn untagged(&self) -> &Data {
        match self {
            Data::Table(one) if one.len() == 1 && ["tuple", "set", "bytes", "int", "float", "complex", "dict"].contains(&one[0].0.as_str()) => &one[0].1,
            other => other,
        }
    }
    fn items(&self) -> Result<&[Data], String> {
        match self.untagged() { Data::List(items) => Ok(items), _ => Err("an argument is no list".into()) }
    }
    fn pairs(&self) -> Result<Vec<(Data, Data)>, String> {
        match self.untagged() {
            Data::Table(pairs) => Ok(pairs.iter().map(|(name, item)| (Data::Text(name.clone()), item.clone())).collect()),
            Data::List(pairs) => pairs.iter().map(|pair| match pair.items()? { [key, item] => Ok((key.clone(), item.clone())), _ => Err("an argument is no list of pairs".into()) }).collect(),
            _ => Err("an argument is no table".into()),
        }
    }
}

pub trait FromData: Sized { fn take(data: &Data) -> Result<Self, String>; }
pub trait ToData {
    fn write(&self, out: &mut String);
    fn error(&self) -> Option<(Vec<String>, String)> { None }
}

macro_rules! whole_numbers { ($($t:ty)*) => { $(
    impl FromData for $t {
        fn take(data: &Data) -> Result<Self, String> {
            let text = match data.untagged() { Data::Number(text) | Data::Text(text) => text, _ => return Err("an argument is no number".into()) };
            let found = if let Some(hex) = text.strip_prefix("0x") { <$t>::from_str_radix(hex, 16) } else { text.parse::<$t>() };
            found.map_err(|_| ::std::format!("{} is no {}", text, ::std::stringify!($t)))
        }
    }
    impl ToData for $t { fn write(&self, out: &mut String) { out.push_str(&self.to_string()) } }
)* } }
whole_numbers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);
macro_rules! floats { ($($t:ty)*) => { $(
    impl FromData for $t {
        fn take(data: &Data) -> Result<Self, String> {
            match data.untagged() { Data::Number(text) | Data::Text(text) => text.parse().map_err(|_| "an argument is no number".into()), _ => Err("an argument is no number".into()) }
        }
    }
    impl ToData for $t {
        fn write(&self, out: &mut String) {
            if self.is_finite() { out.push_str(&::std::format!("{:?}", self)) }
            else { out.push_str(&::std::format!("{{\"float\":\"{}\"}}", self.to_string().to_lowercase())) }
        }
    }
)* } }
floats!(f32 f64);

fn quoted(out: &mut String, text: &str) {
    out.push('"');
    for one in text.chars() {
        match one {
            '"' | '\\' => { out.push('\\'); out.push(one) }
            one if one < ' ' => out.push_str(&::std::format!("\\u{:04x}", one as u32)),
            one => out.push(one),
        }
    }
    out.push('"');
}
impl FromData for bool { fn take(data: &Data) -> Result<Self, String> { match data { Data::Flag(one) => Ok(*one), _ => Err("an argument is no bool".into()) } } }
impl FromData for String { fn take(data: &Data) -> Result<Self, String> { match data { Data::Text(text) => Ok(text.clone()), _ => Err("an argument is no text".into()) } } }
impl FromData for char { fn take(data: &Data) -> Result<Self, String> { let text = <String as FromData>::take(data)?; text.chars().next().filter(|_| text.chars().count() == 1).ok_or_else(|| "an argument is no single character".into()) } }
impl FromData for &'static str { fn take(data: &Data) -> Result<Self, String> { Ok(String::leak(FromData::take(data)?)) } }
impl<T: FromData + 'static> FromData for &'static T { fn take(data: &Data) -> Result<Self, String> { Ok(Box::leak(Box::new(T::take(data)?))) } }
impl<T: FromData + 'static> FromData for &'static mut T { fn take(data: &Data) -> Result<Self, String> { Ok(Box::leak(Box::new(T::take(data)?))) } }
impl<T: FromData + 'static> FromData for &'static [T] { fn take(data: &Data) -> Result<Self, String> { Ok(Vec::leak(FromData::take(data)?)) } }
impl<T: FromData + 'static> FromData for &'static mut [T] { fn take(data: &Data) -> Result<Self, String> { Ok(Vec::leak(FromData::take(data)?)) } }
impl FromData for Cow<'static, str> { fn take(data: &Data) -> Result<Self, String> { <String as FromData>::take(data).map(Cow::Owned) } }
impl<T: FromData> FromData for Box<T> { fn take(data: &Data) -> Result<Self, String> { Ok(Box::new(T::take(data)?)) } }
impl<T: FromData> FromData for Rc<T> { fn take(data: &Data) -> Result<Self, String> { Ok(Rc::new(T::take(data)?)) } }
impl<T: FromData> FromData for Arc<T> { fn take(data: &Data) -> Result<Self, String> { Ok(Arc::new(T::take(data)?)) } }
impl<T: FromData> FromData for Option<T> { fn take(data: &Data) -> Result<Self, String> { if let Data::Null = data { Ok(None) } else { T::take(data).map(Some) } } }
impl<T: FromData, const N: usize> FromData for [T; N] { fn take(data: &Data) -> Result<Self, String> { <Vec<T> as FromData>::take(data)?.try_into().map_err(|_| "an argument has another length".into()) } }
impl FromData for () { fn take(_: &Data) -> Result<Self, String> { Ok(()) } }
macro_rules! sequences { ($($name:ident [$($bound:tt)*])*) => { $(
    impl<T: FromData $($bound)*> FromData for $name<T> { fn take(data: &Data) -> Result<Self, String> { data.items()?.iter().map(T::take).collect() } }
)* } }
sequences!(Vec [] VecDeque [] LinkedList [] HashSet [+ Eq + Hash] BTreeSet [+ Ord]);
impl<K: FromData + Eq + Hash, V: FromData> FromData for HashMap<K, V> { fn take(data: &Data) -> Result<Self, String> { data.pairs()?.iter().map(|(key, item)| Ok((K::take(key)?, V::take(item)?))).collect() } }
impl<K: FromData + Ord, V: FromData> FromData for BTreeMap<K, V> { fn take(data: &Data) -> Result<Self, String> { data.pairs()?.iter().map(|(key, item)| Ok((K::take(key)?, V::take(item)?))).collect() } }

impl ToData for bool { fn write(&self, out: &mut String) { out.push_str(if *self { "true" } else { "false" }) } }
impl ToData for str { fn write(&self, out: &mut String) { quoted(out, self) } }
impl ToData for String { fn write(&self, out: &mut String) { quoted(out, self) } }
impl ToData for char { fn write(&self, out: &mut String) { quoted(out, &self.to_string()) } }
impl ToData for () { fn write(&self, out: &mut String) { out.push_str("null") } }
impl<T: ToData + ?Sized> ToData for &T { fn write(&self, out: &mut String) { (**self).write(out) } }
impl<T: ToData + ?Sized> ToData for &mut T { fn write(&self, out: &mut String) { (**self).write(out) } }
impl<T: ToData + ?Sized> ToData for Box<T> { fn write(&self, out: &mut String) { (**self).write(out) } }
impl<T: ToData + ?Sized> ToData for Rc<T> { fn write(&self, out: &mut String) { (**self).write(out) } }
impl<T: ToData + ?Sized> ToData for Arc<T> { fn write(&self, out: &mut String) { (**self).write(out) } }
impl<T: ToOwned + ToData + ?Sized> ToData for Cow<'_, T> { fn write(&self, out: &mut String) { (**self).write(out) } }
impl<T: ToData> ToData for Option<T> { fn write(&self, out: &mut String) { match self { Some(one) => one.write(out), None => out.push_str("null") } } }
impl<T: ToData, E: Debug> ToData for Result<T, E> {
    fn write(&self, out: &mut String) { match self { Ok(one) => one.write(out), Err(error) => quoted(out, &::std::format!("Err({:?})", error)) } }
    fn error(&self) -> Option<(Vec<String>, String)> {
        let said = ::std::format!("{:?}", self.as_ref().err()?);
        let variant = said.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("").to_string();
        let kind = ::std::any::type_name::<E>().rsplit("::").next().unwrap_or("").to_string();
        Some((Vec::from([variant, kind, "error".to_string()]), said))
    }
}
fn listed<'a, T: ToData + 'a>(out: &mut String, items: impl Iterator<Item = T>, open: &str, close: &str) {
    out.push_str(open);
    for (place, item) in items.enumerate() {
        if place > 0 { out.push(',') }
        item.write(out);
    }
    out.push_str(close);
}
impl<T: ToData> ToData for [T] { fn write(&self, out: &mut String) { listed(out, self.iter(), "[", "]") } }
impl<T: ToData, const N: usize> ToData for [T; N] { fn write(&self, out: &mut String) { listed(out, self.iter(), "[", "]") } }
impl<T: ToData> ToData for Vec<T> { fn write(&self, out: &mut String) { listed(out, self.iter(), "[", "]") } }
impl<T: ToData> ToData for VecDeque<T> { fn write(&self, out: &mut String) { listed(out, self.iter(), "[", "]") } }
impl<T: ToData> ToData for LinkedList<T> { fn write(&self, out: &mut String) { listed(out, self.iter(), "[", "]") } }
impl<T: ToData> ToData for HashSet<T> { fn write(&self, out: &mut String) { listed(out, self.iter(), "{\"set\":[", "]}") } }
impl<T: ToData> ToData for BTreeSet<T> { fn write(&self, out: &mut String) { listed(out, self.iter(), "{\"set\":[", "]}") } }
impl<K: ToData, V: ToData> ToData for HashMap<K, V> { fn write(&self, out: &mut String) { listed(out, self.iter(), "{\"dict\":[", "]}") } }
impl<K: ToData, V: ToData> ToData for BTreeMap<K, V> { fn write(&self, out: &mut String) { listed(out, self.iter(), "{\"dict\":[", "]}") } }

/// Named for what rustc says of an answer with other types; an attribute with a message would need Rust 1.78.
pub trait TakesAndReturnsPlainData<Marker> { fn call(&self, args: &[Data]) -> Result<String, String>; }
macro_rules! arities { ($(($($name:ident)*))*) => { $(
    impl<F, R, $($name),*> TakesAndReturnsPlainData<($($name,)*)> for F where F: Fn($($name),*) -> R, R: ToData, $($name: FromData),* {
        #[allow(non_snake_case, unused_variables, unused_mut)]
        fn call(&self, args: &[Data]) -> Result<String, String> {
            let mut given = args.iter();
            $(let $name = <$name as FromData>::take(given.next().ok_or("an argument is missing")?)?;)*
            if given.next().is_some() { return Err("there are more arguments than parameters".into()); }
            let ended = catch_unwind(AssertUnwindSafe(|| self($($name),*)));
            let mut out = String::new();
            let (kinds, said) = match ended {
                Err(why) => (Vec::from(["panic".to_string()]), why.downcast_ref::<String>().cloned().or_else(|| why.downcast_ref::<&str>().map(|text| text.to_string())).unwrap_or_default()),
                Ok(value) => match value.error() {
                    Some(found) => found,
                    None => { out.push_str("\"returns\":"); value.write(&mut out); return Ok(out) }
                },
            };
            listed(&mut out, kinds.iter(), "\"raises\":[", "],\"message\":");
            quoted(&mut out, &said.chars().take(300).collect::<String>());
            Ok(out)
        }
    }
)* } }
arities!(() (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E G) (A B C D E G H) (A B C D E G H I) (A B C D E G H I J) (A B C D E G H I J K) (A B C D E G H I J K L) (A B C D E G H I J K L M));
macro_rules! tuples { ($(($($name:ident $place:tt)*))*) => { $(
    impl<$($name: ToData),*> ToData for ($($name,)*) { fn write(&self, out: &mut String) { out.push('['); $(if $place > 0 { out.push(',') } self.$place.write(out);)* out.push(']'); } }
    impl<$($name: FromData),*> FromData for ($($name,)*) { fn take(data: &Data) -> Result<Self, String> { let items = data.items()?; Ok(($($name::take(items.get($place).ok_or("a tuple is too short")?)?,)*)) } }
)* } }
tuples!((A 0) (A 0 B 1) (A 0 B 1 C 2) (A 0 B 1 C 2 D 3) (A 0 B 1 C 2 D 3 E 4) (A 0 B 1 C 2 D 3 E 4 F 5) (A 0 B 1 C 2 D 3 E 4 F 5 G 6) (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7) (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8) (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9) (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10) (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11));

fn called<Marker>(function: impl TakesAndReturnsPlainData<Marker>, args: &[Data]) -> String {
    function.call(args).unwrap_or_else(|why| { let mut out = String::from("\"unknown\":"); quoted(&mut out, &why); out })
}

pub fn run() {
    let number = ::std::env::var("STEELYARD_CHANNEL").unwrap().parse().unwrap();
    let mut channel = unsafe { ::std::fs::File::from_raw_fd(number) };
    let mut text = Vec::new();
    ::std::io::stdin().read_to_end(&mut text).unwrap();
    let job = Reader { text: &text, at: 0 }.read();
    let Data::Table(job) = job else { return };
    let calls = job.iter().find(|one| one.0 == "calls").unwrap();
    for (number, call) in calls.1.items().unwrap().iter().enumerate() {
        let result = called(super::STEELYARD_FUNCTION, call.items().unwrap()[0].items().unwrap());
        channel.write_all(::std::format!("{{\"call\":{},{}}}\n", number, result).as_bytes()).unwrap();
    }
    ::std::process::exit(0);
}
