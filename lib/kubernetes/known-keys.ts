import { shownValue, violationOf } from '../../operator/api/violation';
import type { Problem } from '../problems/problem';
import { isObject } from './select-fields';
import { suggest } from './suggest';

/** The keys of an object of options, each with what is known of its value. */
export interface KnownKeys<Name extends string = string> {
  readonly names: readonly Name[];
  readonly inside: { readonly [Key in Name]: Inside };
  /** The fix for keys that users take for options, Kubernetes' own names for one. */
  readonly instead: Readonly<Record<string, string>>;
}

/** Marks values with keys of the user's own, of Kubernetes or of a chart, which are checked elsewhere or not at all. */
export const FREE = 'free';

/** An object that options name and that has to be there: a construct, or one of the library's classes. */
export interface Part {
  /** The class, with its article: `a LinkerdControlPlane`. */
  readonly is: string;
  /** Members by which it is known. */
  readonly members: readonly string[];
  readonly isRequired: boolean;
}

/** Items of a list or of a map whose keys are the user's, which are all alike. */
interface Items {
  readonly each: KnownKeys;
}

/** Options that differ by one of their values, `kind` for one; nothing is known of those that the function does not know. */
type Choice = (options: Readonly<Record<string, unknown>>) => KnownKeys | undefined;

type Inside = true | typeof FREE | KnownKeys | Part | Items | Choice;

/** The keys of a type, of each member where it is a union. */
export type KeysOf<Options> = Options extends unknown ? Extract<keyof Options, string> : never;

type Leaf = string | number | boolean | null | undefined;

/** The values of a key, of each member where the type is a union. */
type ValueOf<Options, Key> = Options extends unknown ? (Key extends keyof Options ? Options[Key] : never) : never;

/** The knowledge of a value of that type: `true` where there is nothing to look into. */
type InsideOf<Value> = [Value] extends [Leaf | readonly Leaf[]]
  ? true
  : typeof FREE | Part | Items | Choice | KnownKeys<KeysOf<Extract<Exclude<Value, readonly unknown[]>, object>>>;

/**
 * The keys of a type of options: what is missing or surplus here does not compile, so no option can be forgotten.
 *
 * @param instead what to write in place of keys that users take for options
 * @example
 * const OPTIONS = keysOf<Options>({ mode: true, labels: FREE, probe: keysOf<Probe>({ path: true }) });
 */
export function keysOf<Options extends object>(
  inside: { readonly [Key in KeysOf<Options>]-?: InsideOf<ValueOf<Options, Key>> },
  instead: Readonly<Record<string, string>> = {},
): KnownKeys<KeysOf<Options>> {
  return { names: Object.keys(inside) as KeysOf<Options>[], inside, instead };
}

/** The same keys, but for some that follow from elsewhere. */
export function keysWithout<Name extends string, Left extends Name>(
  { names, inside, instead }: KnownKeys<Name>,
  ...left: readonly Left[]
): KnownKeys<Exclude<Name, Left>> {
  const rest = names.filter((name): name is Exclude<Name, Left> => !(left as readonly string[]).includes(name));
  return { names: rest, inside: inside as { readonly [Key in Exclude<Name, Left>]: Inside }, instead };
}

/** The items of a list, or of a map whose keys are the user's. */
export function each(keys: KnownKeys): Items {
  return { each: keys };
}

/**
 * An object that may be left out, and is of a class where it is there.
 *
 * @param is its class, with an article
 * @param members by which it is known: another copy of the library has a class of its own
 */
export function part(is: string, ...members: readonly string[]): Part {
  return { is, members, isRequired: false };
}

/** An object of a class, without which nothing can be built. */
export function requiredPart(is: string, ...members: readonly string[]): Part {
  return { is, members, isRequired: true };
}

/** Options as they were read. */
export interface ReadOptions<Options> {
  /** Those that are known, as plain data; what is undefined or null is left out. */
  readonly options: Options;
  /** Keys that are not known. */
  readonly problems: readonly Problem[];
  /** Parts without which, or with which, nothing can be built. */
  readonly missing: readonly Problem[];
}

/**
 * Reads options that code without types may have given: a map with other keys, null, or no map at all. Instances,
 * getters and inherited keys are as good as own ones; what else an instance has is its own.
 *
 * @param path of the options, for messages: `allow` of `allow.from`; empty for the props of a construct
 */
export function readOptions<Options extends object>(
  keys: KnownKeys<KeysOf<Options>>,
  given: Options | null | undefined,
  path = '',
): ReadOptions<Options> {
  const reading: Reading = { root: { keys, path }, problems: [], missing: [] };
  if (given !== undefined && given !== null && !isObject(given)) reading.problems.push(noOptions(path, given));
  const options = readMap(isObject(given) ? given : {}, { keys, path }, reading) as Options;
  return { options, problems: reading.problems, missing: reading.missing };
}

/** The keys of options that are not known, at every depth. */
export function unknownKeys<Options extends object>(
  keys: KnownKeys<KeysOf<Options>>,
  given: Options | null | undefined,
  path = '',
): readonly Problem[] {
  return readOptions(keys, given, path).problems;
}

interface Place {
  readonly keys: KnownKeys;
  readonly path: string;
}

interface Reading {
  readonly root: Place;
  readonly problems: Problem[];
  readonly missing: Problem[];
}

function readMap(given: object, place: Place, reading: Reading): object {
  const { keys, path } = place;
  const values = given as Readonly<Record<string, unknown>>;
  if (isPlain(given)) {
    for (const key in given) {
      // Undefined takes a key away, as in `{ ...props, own: undefined }`.
      if (keys.names.includes(key) || values[key] === undefined) continue;
      reading.problems.push(unknownKey(key, place, reading.root));
    }
  }
  const read = keys.names.flatMap((name) => {
    const value = readValue(values[name], { inside: keys.inside[name] ?? true, path: under(path, name) }, reading);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(read);
}

function readValue(
  value: unknown,
  { inside, path }: { readonly inside: Inside; readonly path: string },
  reading: Reading,
): unknown {
  if (typeof inside === 'object' && 'is' in inside) return readPart(value, inside, path, reading);
  if (value === undefined || value === null) return undefined;
  if (inside === true || inside === FREE || typeof value !== 'object') return value;
  if (typeof inside === 'function') {
    const keys = Array.isArray(value) ? undefined : inside(value as Readonly<Record<string, unknown>>);
    return keys === undefined ? value : readMap(value, { keys, path }, reading);
  }
  if ('each' in inside) return readItems(value, { keys: inside.each, path }, reading);
  // Of another form, it is reported by whoever knows which one is meant.
  return Array.isArray(value) ? value : readMap(value, { keys: inside, path }, reading);
}

function readItems(items: object, { keys, path }: Place, reading: Reading): object {
  const read = (item: unknown, at: string) => (isObject(item) ? readMap(item, { keys, path: at }, reading) : item);
  if (Array.isArray(items)) return items.map((item: unknown, index) => read(item, `${path}[${index}]`));
  return Object.fromEntries(Object.entries(items).map(([key, item]) => [key, read(item, under(path, key))]));
}

function readPart(value: unknown, part: Part, path: string, reading: Reading): unknown {
  if (value === undefined || value === null) {
    if (part.isRequired) reading.missing.push(noPart(path, value, part));
    return undefined;
  }
  if (typeof value === 'object' && part.members.every((member) => member in value)) return value;
  reading.missing.push(noPart(path, value, part));
  return undefined;
}

/** Tells a map from an instance of a class: what else an instance has is its own. */
function isPlain(given: object): boolean {
  let prototype: object | null = Object.getPrototypeOf(given);
  while (prototype !== null) {
    const next: object | null = Object.getPrototypeOf(prototype);
    if (next !== null && Object.hasOwn(prototype, 'constructor')) return false;
    prototype = next;
  }
  return true;
}

function under(path: string, key: string): string {
  if (!/^[\w$-]+$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

function noOptions(path: string, given: unknown): Problem {
  const what = path === '' ? 'The props are' : `${path} is`;
  return {
    code: 'wrong-type',
    violates: violationOf('form', given),
    what: `${what} ${shownValue(given)}, not a map`,
    why: 'Nothing of it could be understood',
    fix: 'give a map of options, {} for the defaults',
  };
}

function noPart(path: string, value: unknown, { is }: Part): Problem {
  return {
    code: 'part-missing',
    violates: violationOf('form', value),
    about: path,
    what: `${path} is ${shownValue(value)}, not ${is}`,
    why: 'Nothing can be built without what it decides',
    fix: `pass ${is} as ${path}`,
  };
}

function unknownKey(key: string, { keys, path }: Place, root: Place): Problem {
  const about = under(path, key);
  const [similar] = suggest(key, keys.names);
  const instead = Object.hasOwn(keys.instead, key) ? keys.instead[key] : undefined;
  const meant = similar === undefined ? placeOf(key, root) : under(path, similar);
  return {
    code: 'option-unknown',
    violates: violationOf('key', key),
    about,
    what: `${about} is not a known option`,
    why: 'It has no effect: everything is built as if it were not there',
    fix: instead ?? (meant === undefined ? `remove it, or write one of ${keys.names.join(', ')}` : `write ${meant}`),
  };
}

/** The nearest place in which options of the same construct have that key. */
function placeOf(key: string, root: Place): string | undefined {
  let level: readonly Place[] = [root];
  while (level.length > 0) {
    const found = level.find(({ keys }) => keys.names.includes(key));
    if (found !== undefined) return under(found.path, key);
    level = level.flatMap(({ keys, path }) =>
      keys.names.flatMap((name) => {
        const inside = keys.inside[name];
        return typeof inside === 'object' && 'names' in inside ? [{ keys: inside, path: under(path, name) }] : [];
      }),
    );
  }
  return undefined;
}
