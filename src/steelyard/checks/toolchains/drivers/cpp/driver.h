// Calls a function of the answer, and writes each result as one line of JSON into the channel.
// Runs in the answer's own process; what is expected is not here, so nothing here has to be trusted.
#include <cstdlib>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>
#include <cxxabi.h>

namespace steelyard {
// Without <unistd.h>: an answer may have a function `truncate` or `link` of its own.
extern "C" { ssize_t read(int, void *, size_t); ssize_t write(int, const void *, size_t); [[noreturn]] void _exit(int); }
struct Data {
    enum Kind { Null, Flag, Number, Text, List, Table } kind = Null;
    bool flag = false;
    std::string text;  // of a number, too
    std::vector<Data> items;
    std::vector<std::string> names;  // of a table, beside `items`
};

struct Reader {
    const std::string &text;
    size_t at = 0;
    char next() { while (isspace((unsigned char)text[at])) at++; return text[at]; }
    Data read() {
        Data made;
        char first = next();
        if (first == '{' || first == '[') {
            made.kind = first == '{' ? Data::Table : Data::List;
            for (at++; next() != (first == '{' ? '}' : ']');) {
                if (next() == ',') { at++; continue; }
                if (first == '{') { made.names.push_back(string()); next(); at++; }
                made.items.push_back(read());
            }
            at++;
        } else if (first == '"') { made.kind = Data::Text; made.text = string(); }
        else if (first == 'n') at += 4;
        else if (first == 't' || first == 'f') { made.kind = Data::Flag; made.flag = first == 't'; at += first == 't' ? 4 : 5; }
        else {
            made.kind = Data::Number;
            while (at < text.size() && strchr("+-.eE0123456789", text[at])) made.text += text[at++];
        }
        return made;
    }
    unsigned hex() { unsigned code = std::stoul(text.substr(at + 1, 4), nullptr, 16); at += 4; return code; }
    std::string string() {
        std::string made;
        next();
        for (at++; text[at] != '"'; at++) {
            if (text[at] != '\\') { made += text[at]; continue; }
            switch (text[++at]) {
                case 'b': made += '\b'; break;
                case 'f': made += '\f'; break;
                case 'n': made += '\n'; break;
                case 'r': made += '\r'; break;
                case 't': made += '\t'; break;
                case 'u': {
                    unsigned code = hex();
                    if (code >= 0xd800 && code < 0xdc00) { at += 2; code = 0x10000 + ((code - 0xd800) << 10) + (hex() - 0xdc00); }
                    if (code < 0x80) made += char(code);
                    else if (code < 0x800) { made += char(0xc0 | code >> 6); made += char(0x80 | (code & 63)); }
                    else if (code < 0x10000) { made += char(0xe0 | code >> 12); made += char(0x80 | (code >> 6 & 63)); made += char(0x80 | (code & 63)); }
                    else { made += char(0xf0 | code >> 18); made += char(0x80 | (code >> 12 & 63)); made += char(0x80 | (code >> 6 & 63)); made += char(0x80 | (code & 63)); }
                    break;
                }
                default: made += text[at];
            }
        }
        at++;
        return made;
    }
};

// Known by what they have: <memory> and <complex> would bring names of <unistd.h> and <time.h> that an answer may use.
template <class T> concept Complex = requires(const T &one) { typename T::value_type; one.real(); one.imag(); };
template <class T> concept Owner = requires(const T &one) { typename T::element_type; *one; one.get(); };

struct Mismatch { std::string why; };  // of ours: nothing that an answer is meant to throw
[[noreturn]] void mismatch(const char *want) { throw Mismatch{std::string("an argument is no ") + want}; }

const Data &untagged(const Data &data) {  // what is in a tag, or the data itself
    static const std::set<std::string> tags{"tuple", "set", "bytes", "int", "float", "complex", "dict"};
    return data.kind == Data::Table && data.items.size() == 1 && tags.count(data.names[0]) ? data.items[0] : data;
}
const std::vector<Data> &items(const Data &data) {
    const Data &found = untagged(data);
    if (found.kind != Data::List) mismatch("list");
    return found.items;
}

const std::vector<Data> &items(const Data &data, size_t size) {
    if (items(data).size() != size) mismatch("list of that length");
    return items(data);
}

template <class T> struct Value { static_assert(sizeof(T) == 0, "calls cannot pass this type"); };  // from plain data
template <class T> T value(const Data &data) { return Value<T>::of(data); }
template <class T> requires std::is_arithmetic_v<T> struct Value<T> {
    static T of(const Data &tagged) {
        const Data &data = untagged(tagged);
        if constexpr (std::is_same_v<T, bool>) { if (data.kind != Data::Flag) mismatch("truth value"); return data.flag; }
        else if constexpr (std::is_same_v<T, char>) {
            if (data.kind == Data::Text && data.text.size() == 1) return data.text[0];
            if (data.kind == Data::Number && data.text[0] != '-') return char(Value<unsigned char>::of(data));  // a byte
        } else if constexpr (std::is_floating_point_v<T>) {
            if (data.kind != Data::Number && data.kind != Data::Text) mismatch("number");
            // Rounded once: the case means a double, and by way of a long double it may become the one beside it.
            if constexpr (std::is_same_v<T, float>) return std::strtof(data.text.c_str(), nullptr);
            else return std::strtod(data.text.c_str(), nullptr);
        }
        if (data.kind != Data::Number && &data == &tagged) mismatch("number");
        errno = 0;
        char *end = nullptr;
        bool negative = data.text[0] == '-';
        T made = negative ? T(std::strtoll(data.text.c_str(), &end, 0)) : T(std::strtoull(data.text.c_str(), &end, 0));
        bool lost = negative ? (long long)made != std::strtoll(data.text.c_str(), nullptr, 0) : (unsigned long long)made != std::strtoull(data.text.c_str(), nullptr, 0) || made < 0;
        if (errno || *end || lost) mismatch("whole number of that size");
        return made;
    }
};
template <> struct Value<std::string> {
    static std::string of(const Data &data) {
        std::string made = data.text;
        if (data.kind == Data::Table && data.names == std::vector<std::string>{"bytes"})
            for (auto &one : items(data)) made += value<char>(one);
        else if (data.kind != Data::Text) mismatch("text");
        return made;
    }
};
template <> struct Value<std::byte> { static std::byte of(const Data &d) { return std::byte(value<unsigned char>(d)); } };
template <> struct Value<std::string_view> { static std::string_view of(const Data &d) { return *new std::string(value<std::string>(d)); } };
template <> struct Value<const char *> { static const char *of(const Data &d) { return (new std::string(value<std::string>(d)))->c_str(); } };
template <> struct Value<char *> { static char *of(const Data &d) { return (new std::string(value<std::string>(d)))->data(); } };
template <class C> struct Sequence { static C of(const Data &d) { C made; for (auto &one : items(d)) made.insert(made.end(), value<typename C::value_type>(one)); return made; } };
template <class T> struct Value<std::vector<T>> : Sequence<std::vector<T>> {};
template <class T> struct Value<std::deque<T>> : Sequence<std::deque<T>> {};
template <class T> struct Value<std::list<T>> : Sequence<std::list<T>> {};
template <class... T> struct Value<std::set<T...>> : Sequence<std::set<T...>> {};
template <class... T> struct Value<std::multiset<T...>> : Sequence<std::multiset<T...>> {};
template <class... T> struct Value<std::unordered_set<T...>> : Sequence<std::unordered_set<T...>> {};
template <class T> struct Value<std::span<T>> { static std::span<T> of(const Data &d) { return *new auto(value<std::vector<std::remove_cv_t<T>>>(d)); } };
template <Complex T> struct Value<T> {
    using Part = typename T::value_type;
    static T of(const Data &d) { return {value<Part>(items(d, 2)[0]), value<Part>(items(d, 2)[1])}; }
};
template <class T, size_t N> struct Value<std::array<T, N>> {
    static std::array<T, N> of(const Data &d) { std::array<T, N> made; for (size_t i = 0; i < N; i++) made[i] = value<T>(items(d, N)[i]); return made; }
};
template <class T> struct Value<std::optional<T>> { static std::optional<T> of(const Data &d) { if (d.kind == Data::Null) return std::nullopt; return value<T>(d); } };
template <class A, class B> struct Value<std::pair<A, B>> { static std::pair<A, B> of(const Data &d) { return {value<A>(items(d, 2)[0]), value<B>(items(d, 2)[1])}; } };
template <class... T> struct Value<std::tuple<T...>> {
    template <size_t... I> static std::tuple<T...> each(const std::vector<Data> &d, std::index_sequence<I...>) { return {value<T>(d[I])...}; }
    static std::tuple<T...> of(const Data &d) { return each(items(d, sizeof...(T)), std::index_sequence_for<T...>{}); }
};
template <class C> struct Mapping {
    static C of(const Data &d) {
        C made;
        const Data &found = untagged(d);
        if (found.kind != Data::Table && found.kind != Data::List) mismatch("table");
        for (size_t i = 0; i < found.items.size(); i++) {
            Data name;
            if (found.kind == Data::Table) { name.kind = Data::Text; name.text = found.names[i]; }
            const Data &key = found.kind == Data::Table ? name : items(found.items[i], 2)[0];
            const Data &item = found.kind == Data::Table ? found.items[i] : items(found.items[i], 2)[1];
            made.emplace(value<typename C::key_type>(key), value<typename C::mapped_type>(item));
        }
        return made;
    }
};
template <class... T> struct Value<std::map<T...>> : Mapping<std::map<T...>> {};
template <class... T> struct Value<std::unordered_map<T...>> : Mapping<std::unordered_map<T...>> {};

// All of them first: a pair may hold a list, and a list may hold pairs.
template <class T> void plain(std::string &out, const std::optional<T> &one);
template <class A, class B> void plain(std::string &out, const std::pair<A, B> &both);
template <class... T> void plain(std::string &out, const std::tuple<T...> &all);
template <Complex T> void plain(std::string &out, const T &one);
template <Owner T> void plain(std::string &out, const T &one);
template <class C> requires requires(const C &c) { c.begin(); c.end(); } void plain(std::string &out, const C &items);

inline void plain(std::string &out, std::string_view text) {
    out += '"';
    for (unsigned char one : text) {
        char escaped[8];
        if (one == '"' || one == '\\') { out += '\\'; out += char(one); }
        else if (one < 32 || one == 127) { snprintf(escaped, sizeof escaped, "\\u%04x", one); out += escaped; }
        else out += char(one);
    }
    out += '"';
}
inline void plain(std::string &out, const std::string &text) { plain(out, std::string_view(text)); }
inline void plain(std::string &out, const char *text) { if (text) plain(out, std::string_view(text)); else out += "null"; }
inline void plain(std::string &out, std::byte one) { out += std::to_string(int(one)); }
inline void plain(std::string &out, char one) { plain(out, std::string_view(&one, 1)); }
template <class T> requires std::is_integral_v<T> void plain(std::string &out, T one) {
    // Not a function for `bool`: every pointer would become one.
    if constexpr (std::is_same_v<T, bool>) out += one ? "true" : "false";
    else out += std::to_string(one);
}
template <class T> requires std::is_floating_point_v<T> void plain(std::string &out, T one) {
    char text[64] = "";  // the fewest digits: 0.1f is 0.1, as in other languages
    if constexpr (std::is_same_v<T, float>) std::to_chars(text, text + 63, one);
    else std::to_chars(text, text + 63, double(one));
    out += std::isnan(one) ? "{\"float\":\"nan\"}" : std::isinf(one) ? one > 0 ? "{\"float\":\"inf\"}" : "{\"float\":\"-inf\"}" : text;
}
template <class T> void plain(std::string &out, const std::optional<T> &one) { if (one) plain(out, *one); else out += "null"; }
template <Owner T> void plain(std::string &out, const T &one) { if (one) plain(out, *one); else out += "null"; }
template <Complex T> void plain(std::string &out, const T &one) {
    out += "{\"complex\":";
    plain(out, std::pair(one.real(), one.imag()));
    out += '}';
}
template <class A, class B> void plain(std::string &out, const std::pair<A, B> &both) { out += '['; plain(out, both.first); out += ','; plain(out, both.second); out += ']'; }
template <class... T> void plain(std::string &out, const std::tuple<T...> &all) {
    out += '[';
    std::apply([&](const auto &...one) { size_t n = 0; ((out += n++ ? "," : "", plain(out, one)), ...); }, all);
    out += ']';
}
template <class C> requires requires(const C &c) { c.begin(); c.end(); } void plain(std::string &out, const C &items) {
    // A multiset is a list in order: to insert what it has tells of no failure.
    constexpr bool is_map = requires { typename C::mapped_type; };
    constexpr bool is_set = !is_map && requires(C c, typename C::key_type key) { c.insert(key).second; };
    out += is_map ? "{\"dict\":[" : is_set ? "{\"set\":[" : "[";
    size_t n = 0;
    for (const auto &one : items) { out += n++ ? "," : ""; plain(out, static_cast<const typename C::value_type &>(one)); }
    out += is_map || is_set ? "]}" : "]";
}

template <class R, class... A> std::string call(R (*function)(A...), const std::vector<Data> &args) {
    static_assert(std::is_void_v<R> || requires(std::string &out, std::decay_t<R> &one) { plain(out, one); }, "calls cannot pass the type of this result");
    if (args.size() != sizeof...(A)) throw Mismatch{"the call has another number of arguments"};
    auto run = [&]<size_t... I>(std::index_sequence<I...>) {
        auto &held = *new std::tuple<std::decay_t<A>...>{value<std::decay_t<A>>(args[I])...};
        if constexpr (std::is_void_v<R>) { function(static_cast<A>(std::get<I>(held))...); return std::string("\"returns\":null"); }
        else { std::string out = "\"returns\":"; plain(out, function(static_cast<A>(std::get<I>(held))...)); return out; }
    };
    return run(std::index_sequence_for<A...>{});
}

template <class F> requires std::is_class_v<F> std::string call(F *lambda, const std::vector<Data> &args) { return call(+*lambda, args); }

// The class of an error, and every class that it is made of.
inline void kinds(std::string &out, const std::type_info *type) {
    int status = 0;
    char *name = type ? abi::__cxa_demangle(type->name(), nullptr, nullptr, &status) : nullptr;
    std::string_view known = name ? name : "unknown";
    out += out.back() == '[' ? "" : ",";
    plain(out, known);
    if (known.substr(0, 5) == "std::") { out += ','; plain(out, known.substr(5)); }  // as cases for several languages say it
    if (auto single = dynamic_cast<const abi::__si_class_type_info *>(type)) kinds(out, single->__base_type);
    if (auto several = dynamic_cast<const abi::__vmi_class_type_info *>(type))
        for (unsigned i = 0; i < several->__base_count; i++) kinds(out, several->__base_info[i].__base_type);
}

inline std::string failure(const char *message) {
    std::string out = "\"raises\":[";
    kinds(out, abi::__cxa_current_exception_type());
    out += "],\"message\":";
    plain(out, std::string(message).substr(0, 300));
    return out;
}

inline std::string (*entry)(const std::vector<Data> &);
inline int run() {
    int channel = atoi(getenv("STEELYARD_CHANNEL"));
    std::string text; char part[65536]; for (ssize_t n; (n = read(0, part, sizeof part)) > 0;) text.append(part, n);
    Data job = Reader{text}.read();
    const Data &calls = job.items.at(job.names.at(0) == "calls" ? 0 : 1);
    for (size_t number = 0; number < calls.items.size(); number++) {
        std::string line = "{\"call\":" + std::to_string(number) + ",", result;
        try { result = entry(calls.items[number].items.at(0).items); }
        catch (const Mismatch &error) { result = "\"unknown\":"; plain(result, error.why); }
        catch (const std::string &error) { result = failure(error.c_str()); }
        catch (const std::exception &error) { result = failure(error.what()); }
        catch (...) { result = failure(""); }
        line += result + "}\n";
        for (size_t done = 0; done < line.size();) { ssize_t n = write(channel, line.data() + done, line.size() - done); if (n <= 0) _exit(1); done += n; }
    }
    fflush(stdout);
    _exit(0);
}
}  // namespace steelyard

