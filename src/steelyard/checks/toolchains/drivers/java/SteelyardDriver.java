// Calls a method of the answer, and writes each result as one line of JSON into the channel.
// Runs in the answer's own process; what is expected is not here, so nothing here has to be trusted.
// In a package of its own: a class of the answer, such as Type or LinkedList, would hide the one that is imported here.
package steelyard;

import java.io.*;
import java.lang.reflect.*;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;
import java.util.stream.Stream;

public final class SteelyardDriver {
    static final Set<String> TAGS = Set.of("tuple", "set", "bytes", "int", "float", "complex", "dict", "null");
    static final Set<String> LISTED = Set.of("tuple", "set", "bytes", "null");  // tags of what may be an array, and of null
    static final Set<Class<?>> FLOATS = Set.of(double.class, Double.class, float.class, Float.class);
    static final Map<Integer, List<Method>> METHODS = new HashMap<>();  // found before, by their number of parameters

    static final class Opaque extends RuntimeException {
        Opaque(String kind) { super(kind); }
    }

    // Reads JSON into maps, lists, texts, booleans, null, BigInteger and Double.
    static final class Reader {
        final String text;
        int at;

        Reader(String text) { this.text = text; }

        char next() {
            while (Character.isWhitespace(text.charAt(at))) at++;
            return text.charAt(at);
        }

        Object read() {
            switch (next()) {
                case '{': {
                    Map<String, Object> table = new LinkedHashMap<>();
                    for (at++; next() != '}'; ) {
                        if (next() == ',') { at++; continue; }
                        String name = (String) read();
                        next();
                        at++;
                        table.put(name, read());
                    }
                    at++;
                    return table;
                }
                case '[': {
                    List<Object> items = new ArrayList<>();
                    for (at++; next() != ']'; ) {
                        if (next() == ',') at++;
                        else items.add(read());
                    }
                    at++;
                    return items;
                }
                case '"': return string();
                case 't': at += 4; return true;
                case 'f': at += 5; return false;
                case 'n': at += 4; return null;
            }
            int from = at;
            while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) at++;
            String number = text.substring(from, at);
            if (number.matches("-?\\d+")) return new BigInteger(number);
            return Double.valueOf(number);
        }

        String string() {
            StringBuilder made = new StringBuilder();
            for (at++; text.charAt(at) != '"'; at++) {
                char one = text.charAt(at);
                if (one != '\\') { made.append(one); continue; }
                one = text.charAt(++at);
                if (one == 'u') { made.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16)); at += 4; }
                else made.append("\b\f\n\r\t".indexOf(one) >= 0 ? one : one == 'b' ? '\b' : one == 'f' ? '\f' : one == 'n' ? '\n' : one == 'r' ? '\r' : one == 't' ? '\t' : one);
            }
            at++;
            return made.toString();
        }
    }

    // The type that a type parameter or a wildcard stands for, as far as it is known.
    static Type bound(Type type) {
        if (type instanceof TypeVariable<?> variable) return bound(variable.getBounds()[0]);
        return type instanceof WildcardType wildcard ? bound(wildcard.getUpperBounds()[0]) : type;
    }

    static Class<?> raw(Type stated) {
        Type type = bound(stated);
        if (type instanceof ParameterizedType p) return raw(p.getRawType());
        if (type instanceof GenericArrayType a) return Array.newInstance(raw(a.getGenericComponentType()), 0).getClass();
        return type instanceof Class<?> c ? c : Object.class;
    }

    static Type part(Type type, int place) {
        return type instanceof ParameterizedType p ? p.getActualTypeArguments()[place] : Object.class;
    }

    static List<Object> items(Object data) {
        if (data instanceof List<?> list) return new ArrayList<>(list);
        throw new IllegalArgumentException("an argument is no list");
    }

    static Collection<Object> collection(Class<?> want) {
        if (want == Stack.class || want == Vector.class) return new Stack<>();
        if (want == ArrayDeque.class) return new ArrayDeque<>();
        if (want == PriorityQueue.class) return new PriorityQueue<>();
        return want == LinkedList.class || want == Deque.class || want == Queue.class ? new LinkedList<>() : new ArrayList<>();
    }

    static Map<Object, Object> map(Class<?> want) {
        return SortedMap.class.isAssignableFrom(want) ? new TreeMap<>() : new LinkedHashMap<>();
    }

    // Returns plain data as a value of a type.
    static Object value(Object data, Type stated) {
        Type type = bound(stated);
        Class<?> want = raw(type);
        if (data instanceof Map<?, ?> map && map.size() == 1 && TAGS.contains(map.keySet().iterator().next())) {
            Object content = map.values().iterator().next();
            switch ((String) map.keySet().iterator().next()) {
                case "null": return want == Optional.class ? Optional.empty() : null;
                case "int": {
                    String text = (String) content;
                    boolean hex = text.replace("-", "").startsWith("0x");
                    data = hex ? new BigInteger(text.replace("0x", ""), 16) : new BigInteger(text);
                    break;
                }
                case "float": data = content.equals("nan") ? Double.NaN : content.equals("inf") ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY; break;
                case "bytes": return Base64.getDecoder().decode((String) content);
                case "dict": {
                    Map<Object, Object> made = map(want);
                    for (Object pair : items(content)) made.put(value(items(pair).get(0), part(type, 0)), value(items(pair).get(1), part(type, 1)));
                    return made;
                }
                case "set": {
                    Set<Object> made = new LinkedHashSet<>();
                    for (Object item : items(content)) made.add(value(item, part(type, 0)));
                    return SortedSet.class.isAssignableFrom(want) ? new TreeSet<>(made) : made;
                }
                default: data = content;
            }
        }
        if (want == Optional.class) return Optional.ofNullable(data == null ? null : value(data, part(type, 0)));
        if (data == null) return null;
        if (data instanceof BigInteger || data instanceof Double) return number((Number) data, want);
        if (data instanceof String text) {
            if (want != char.class && want != Character.class) return text;
            if (text.length() != 1) throw new IllegalArgumentException("an argument is no single character");
            return text.charAt(0);
        }
        if (data instanceof Map<?, ?> map) {
            Map<Object, Object> made = map(want);
            map.forEach((name, item) -> made.put(value(name, part(type, 0)), value(item, part(type, 1))));
            return made;
        }
        if (!(data instanceof List<?> list)) return data;
        if (want.isArray()) {
            Type inner = type instanceof GenericArrayType a ? a.getGenericComponentType() : want.getComponentType();
            Object made = Array.newInstance(want.getComponentType(), list.size());
            for (int i = 0; i < list.size(); i++) Array.set(made, i, value(list.get(i), inner));
            return made;
        }
        Collection<Object> made = collection(want);
        for (Object item : list) made.add(value(item, part(type, 0)));
        if (SortedSet.class.isAssignableFrom(want)) return new TreeSet<>(made);
        return Set.class.isAssignableFrom(want) ? new LinkedHashSet<>(made) : made;
    }

    static Object number(Number data, Class<?> want) {
        if (want == double.class || want == Double.class) return data.doubleValue();
        if (want == float.class || want == Float.class) return data.floatValue();
        if (want == BigDecimal.class) return data instanceof BigInteger whole ? new BigDecimal(whole) : BigDecimal.valueOf(data.doubleValue());
        if (!(data instanceof BigInteger whole)) {
            if (want.isAssignableFrom(Double.class)) return data;
            throw new IllegalArgumentException("an argument is no whole number");
        }
        if (want == int.class || want == Integer.class) return whole.intValueExact();
        if (want == long.class || want == Long.class) return whole.longValueExact();
        if (want == short.class || want == Short.class) return whole.shortValueExact();
        if (want == byte.class || want == Byte.class) return whole.byteValueExact();
        if (want == BigInteger.class) return whole;
        return whole.bitLength() < 32 ? (Object) whole.intValue() : whole.bitLength() < 64 ? (Object) whole.longValue() : whole;
    }

    // 0.1f is 0.1, as in other languages; before Java 19, Float.toString gives 3.0000001E10 for 3e10f.
    static double fewestDigits(float one) {
        for (int digits = 1; one != 0 && digits < 9; digits++) {
            BigDecimal near = new BigDecimal(one).round(new MathContext(digits));
            if (near.floatValue() == one) return near.doubleValue();
        }
        return Double.parseDouble(Float.toString(one));
    }

    static void plain(StringBuilder out, Object value) {
        if (value == null || value instanceof Boolean || value instanceof Integer || value instanceof Long || value instanceof Short || value instanceof Byte) out.append(value);
        else if (value instanceof BigInteger whole) out.append("{\"int\":\"").append(whole.signum() < 0 ? "-0x" : "0x").append(whole.abs().toString(16)).append("\"}");
        else if (value instanceof Double || value instanceof Float) {
            double number = ((Number) value).doubleValue();
            if (Double.isNaN(number) || Double.isInfinite(number)) out.append("{\"float\":\"").append(Double.isNaN(number) ? "nan" : number > 0 ? "inf" : "-inf").append("\"}");
            else out.append(value instanceof Float ? fewestDigits((Float) value) : number);
        }
        else if (value instanceof CharSequence || value instanceof Character) text(out, value.toString());
        else if (value instanceof Enum<?> one) text(out, one.name());
        else if (value instanceof Map.Entry<?, ?> pair) list(out, Arrays.asList(pair.getKey(), pair.getValue()));
        else if (value instanceof Optional<?> option) plain(out, option.orElse(null));
        else if (value instanceof OptionalInt option) plain(out, option.isPresent() ? option.getAsInt() : null);
        else if (value instanceof OptionalLong option) plain(out, option.isPresent() ? option.getAsLong() : null);
        else if (value instanceof OptionalDouble option) plain(out, option.isPresent() ? option.getAsDouble() : null);
        else if (value instanceof BigDecimal) out.append(value);
        else if (value instanceof byte[] bytes) out.append("{\"bytes\":\"").append(Base64.getEncoder().encodeToString(bytes)).append("\"}");
        else if (value instanceof Map<?, ?> map) {
            out.append("{\"dict\":[");
            int count = 0;
            for (Map.Entry<?, ?> pair : map.entrySet()) plain(out.append(count++ > 0 ? "," : ""), pair);
            out.append("]}");
        }
        else if (value instanceof Set<?> set) { list(out.append("{\"set\":"), set); out.append('}'); }
        else if (value instanceof Collection<?> items) list(out, items);
        else if (value.getClass().isArray()) {
            List<Object> items = new ArrayList<>();
            for (int i = 0; i < Array.getLength(value); i++) items.add(Array.get(value, i));
            list(out, items);
        }
        else throw new Opaque(value.getClass().getName());
    }

    static void list(StringBuilder out, Iterable<?> items) {
        out.append('[');
        boolean first = true;
        for (Object item : items) {
            if (!first) out.append(',');
            first = false;
            plain(out, item);
        }
        out.append(']');
    }

    static void text(StringBuilder out, String text) {
        out.append('"');
        for (char one : text.toCharArray()) {
            if (one == '"' || one == '\\') out.append('\\').append(one);
            else if (one < 32 || one > 126) out.append(String.format("\\u%04x", (int) one));
            else out.append(one);
        }
        out.append('"');
    }

    static void failure(StringBuilder out, Throwable error) {
        List<String> kinds = new ArrayList<>();
        for (Class<?> kind = error.getClass(); kind != Object.class; kind = kind.getSuperclass()) kinds.add(kind.getSimpleName());
        list(out.append("\"raises\":"), kinds);
        String message = String.valueOf(error.getMessage());
        text(out.append(",\"message\":"), message.substring(0, Math.min(300, message.length())));
    }

    // The names of all classes of the answer; those of a package lie in folders.
    static List<String> classes() throws IOException {
        Path top = Path.of("classes");
        try (Stream<Path> files = Files.walk(top)) {
            return files.map(file -> top.relativize(file).toString()).filter(name -> name.endsWith(".class"))
                .map(name -> name.substring(0, name.length() - 6).replace('/', '.'))
                .filter(name -> !name.startsWith("steelyard.")).sorted().toList();
        }
    }

    // Of several methods with a name: one that can be called, of the class that the answer's file is named after, static.
    static int rank(Method one) {
        Class<?> kind = one.getDeclaringClass();
        boolean isStatic = Modifier.isStatic(one.getModifiers()), canBeCalled = isStatic;
        try {
            kind.getDeclaredConstructor();
            canBeCalled |= !Modifier.isAbstract(kind.getModifiers());
        } catch (NoSuchMethodException needsArguments) { }
        boolean isNamed = kind.getName().equals((kind.getPackageName() + ".STEELYARD_CLASS").replaceFirst("^\\.", ""));
        return (canBeCalled ? 8 : 0) + (isNamed ? 4 : 0) + (isStatic ? 2 : 0) + (kind.isMemberClass() ? 0 : 1);
    }

    // The methods of one class with a name and a number of parameters; those for whole numbers before those for floats.
    static List<Method> methods(String name, int arguments) throws Exception {
        List<Method> found = METHODS.get(arguments);
        if (found != null) return found;
        found = new ArrayList<>();
        for (String kind : classes())
            for (Method one : Class.forName(kind, false, SteelyardDriver.class.getClassLoader()).getDeclaredMethods())
                // The compiler makes synthetic ones, for a class with type parameters for example.
                if (one.getName().equals(name) && !one.isSynthetic() && !Modifier.isAbstract(one.getModifiers())) found.add(one);
        boolean isExact = found.stream().anyMatch(one -> one.getParameterCount() == arguments);
        found.removeIf(one -> isExact ? one.getParameterCount() != arguments : !one.isVarArgs() || one.getParameterCount() > arguments + 1);
        if (found.isEmpty()) throw new NoSuchMethodException("there is no method " + name + " with " + arguments + " parameters");
        found.sort(Comparator.comparing(SteelyardDriver::rank).reversed().thenComparing(SteelyardDriver::floats).thenComparing(Method::toString));
        Class<?> best = found.get(0).getDeclaringClass();
        found.removeIf(one -> one.getDeclaringClass() != best);
        METHODS.put(arguments, found);
        return found;
    }

    static long floats(Method one) {
        return Arrays.stream(one.getParameterTypes()).filter(FLOATS::contains).count();
    }

    static Object[] values(Method method, List<Object> args) {
        Type[] types = method.getGenericParameterTypes();
        List<Object> given = new ArrayList<>(args);
        if (method.isVarArgs() && args.size() != types.length || takesOne(method, args)) {
            List<Object> rest = given.subList(types.length - 1, given.size());
            List<Object> last = new ArrayList<>(rest);
            rest.clear();
            given.add(last);
        }
        Object[] values = new Object[types.length];
        for (int i = 0; i < values.length; i++) values[i] = value(given.get(i), types[i]);
        return values;
    }

    // Whether the last argument is the only item of `int... items`, and not their list.
    static boolean takesOne(Method method, List<Object> args) {
        if (!method.isVarArgs()) return false;
        Object last = args.get(args.size() - 1);
        boolean isTagged = last instanceof Map<?, ?> map && map.size() == 1 && LISTED.contains(map.keySet().iterator().next());
        return last != null && !(last instanceof List<?>) && !isTagged;
    }

    static Object made(Class<?> kind) throws Exception {
        try {
            Constructor<?> maker = kind.getDeclaredConstructor();
            maker.setAccessible(true);
            return maker.newInstance();
        } catch (NoSuchMethodException needsArguments) {
            throw new NoSuchMethodException("the method is not static, and an object of class " + kind.getName() + " cannot be made without arguments");
        }
    }

    // Calls the first method that takes such arguments; what the method itself throws comes as InvocationTargetException.
    static Object result(List<Method> methods, List<Object> args) throws Exception {
        RuntimeException unfit = null;
        for (Method method : methods) {
            try {
                method.setAccessible(true);
                Object[] values = values(method, args);
                return method.invoke(Modifier.isStatic(method.getModifiers()) ? null : made(method.getDeclaringClass()), values);
            } catch (IllegalArgumentException | ArithmeticException | ClassCastException error) {
                if (unfit == null) unfit = error;
            }
        }
        throw unfit;
    }

    static void call(StringBuilder out, String name, List<Object> args) throws Exception {
        Object result;
        try {
            result = result(methods(name, args.size()), args);
        } catch (InvocationTargetException error) {
            failure(out, error.getCause());
            return;
        } catch (NoSuchMethodException error) {
            text(out.append("\"unknown\":"), error.getMessage());
            return;
        } catch (Exception error) {
            text(out.append("\"unknown\":"), String.valueOf(error));
            return;
        }
        StringBuilder made = new StringBuilder();
        try {
            plain(made, result);
            out.append("\"returns\":").append(made);
        } catch (Opaque error) {
            text(out.append("\"opaque\":"), error.getMessage());
        }
    }

    public static void main(String[] names) throws Exception {
        OutputStream channel = new FileOutputStream(FileDescriptor.out);
        System.setOut(System.err);
        Map<?, ?> job = (Map<?, ?>) new Reader(new String(System.in.readAllBytes(), StandardCharsets.UTF_8)).read();
        int number = 0;
        for (Object call : items(job.get("calls"))) {
            StringBuilder line = new StringBuilder("{\"call\":" + number++ + ",");
            try {
                call(line, (String) job.get("function"), items(items(call).get(0)));
            } catch (Throwable error) {
                line = new StringBuilder("{\"call\":" + (number - 1) + ",");
                failure(line, error);
            }
            channel.write(line.append("}\n").toString().getBytes(StandardCharsets.UTF_8));
        }
        Runtime.getRuntime().halt(0);
    }
}
