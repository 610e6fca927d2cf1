// Calls a function of the answer, and writes each result as one line of JSON into the channel.
// Runs in the answer's own process; what is expected is not here, so nothing here has to be trusted.
import { readFileSync, writeFileSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const TAGS = ['tuple', 'set', 'bytes', 'int', 'float', 'complex', 'dict', 'null'];
const READ = {
  tuple: (items) => items.map(value),
  set: (items) => new Set(items.map(value)),
  bytes: (text) => new Uint8Array(Buffer.from(text, 'base64')),
  int: (text) => (text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text)),
  float: (text) => ({ nan: NaN, inf: Infinity, '-inf': -Infinity })[text],
  complex: (parts) => parts.map(value),
  dict: (pairs) => new Map(pairs.map(([key, item]) => [value(key), value(item)])),
  null: () => null,
};

function value(data) {
  if (Array.isArray(data)) return data.map(value);
  if (data === null || typeof data !== 'object') return data;
  const names = Object.keys(data);
  if (names.length === 1 && TAGS.includes(names[0])) return READ[names[0]](data[names[0]]);
  return Object.fromEntries(names.map((name) => [name, value(data[name])]));
}

class Opaque extends Error {}

function plain(item) {
  switch (typeof item) {
    case 'undefined': return null;
    case 'boolean': case 'string': return item;
    case 'number':
      // As JSON it would be written with the fewest digits that lead back to it, and other ones after them.
      if (Number.isInteger(item) && !Number.isSafeInteger(item)) return plain(BigInt(item));
      return Number.isFinite(item) ? item : { float: String(item).toLowerCase().replace('infinity', 'inf') };
    case 'bigint': return { int: item < 0n ? `-0x${(-item).toString(16)}` : `0x${item.toString(16)}` };
    case 'function': case 'symbol': throw new Opaque(typeof item);
  }
  if (item === null) return null;
  if (Array.isArray(item)) return Array.from(item, plain);
  if (item instanceof Map) return { dict: Array.from(item, ([key, one]) => [plain(key), plain(one)]) };
  if (item instanceof Set) return { set: Array.from(item, plain) };
  if (item instanceof Uint8Array) return { bytes: Buffer.from(item).toString('base64') };
  if (ArrayBuffer.isView(item)) return Array.from(item, plain);
  const names = Object.keys(item);
  if (![Object.prototype, null].includes(Object.getPrototypeOf(item)) && !names.length) {
    throw new Opaque(item.constructor?.name || Object.prototype.toString.call(item).slice(8, -1));  // [object Generator]
  }
  if (names.length === 1 && TAGS.includes(names[0])) return { dict: [[names[0], plain(item[names[0]])]] };
  return Object.fromEntries(names.map((name) => [name, plain(item[name])]));
}

function write(line) {
  let rest = Buffer.from(`${JSON.stringify(line)}\n`);
  while (rest.length) rest = rest.subarray(writeSync(channel, rest));
}

function failure(error) {
  const kinds = [];
  for (let kind = Object(error); kind && kind !== Object.prototype; kind = Object.getPrototypeOf(kind)) {
    const name = kind.constructor?.name;
    if (typeof name === 'string' && !kinds.includes(name)) kinds.push(name);
  }
  return { raises: kinds, message: String(error?.message ?? error).slice(0, 300) };
}

async function called(fn, args) {
  let result;
  try {
    result = await fn(...args);
  } catch (error) {
    return failure(error);
  }
  try {
    return { returns: plain(result) };
  } catch (error) {
    return error instanceof Opaque ? { opaque: error.message } : { unknown: String(error) };
  }
}

async function loaded(file, name) {
  // An answer may be written for CommonJS.
  const module = { exports: {} };
  const require = createRequire(import.meta.url);
  const names = { require, module, exports: module.exports, __filename: resolve(file), __dirname: process.cwd() };
  Object.assign(globalThis, names);
  // With one more export at its end, which is a syntax error unless the name is declared at the top level.
  const tail = `steelyard-${file}`;
  writeFileSync(tail, `${readFileSync(file, 'utf8')}\nexport { ${name} as steelyardFunction };\n`);
  let found;
  try {
    found = (await import(`./${tail}`)).steelyardFunction;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const answer = await import(`./${file}`);
    const places = [answer, answer.default, module.exports, globalThis];
    found = places.map((place) => place?.[name]).find((one) => typeof one === 'function') ?? answer.default ?? module.exports;
  }
  if (typeof found !== 'function') throw new ReferenceError(`there is no function ${name}`);
  return found;
}

const channel = Number(process.env.STEELYARD_CHANNEL);
const { function: name, calls } = JSON.parse(readFileSync(0, 'utf8'));
let fn;
try {
  fn = await loaded(process.argv[2], name);
} catch (error) {
  write({ error: 'load', ...failure(error) });
  process.exit(0);
}
for (const [number, [args]] of calls.entries()) {
  const result = await called(fn, args.map(value));
  write({ call: number, ...result });
}
process.exit(0);
