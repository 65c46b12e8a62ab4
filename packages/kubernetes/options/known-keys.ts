import type { Duration } from 'cdk8s';
import type { Problem } from '#base/findings/problem';
import { shownValue } from '#base/findings/shown-value';
import { isObject } from '#base/is-object';
import { suggest } from '#base/suggest';
import { KUBERNETES_FINDINGS } from '../findings/findings';
import { goDurationOf } from './duration-like';

/** The known keys of an options object, each with the type of its value. */
export interface KnownKeys<Name extends string = string> {
  readonly names: readonly Name[];
  readonly inside: { readonly [Key in Name]: Inside };
  /** What to write for keys that users mistake for options, such as Kubernetes' own names. */
  readonly instead: Readonly<Record<string, string>>;
}

/** Marks a value whose keys come from the user, Kubernetes or a chart. Only other rules may check these keys. */
export const FREE = 'free';

/** The type of a value, and how a value of this type is read. */
export interface PropSpec {
  /** The type, with its article: `a ConfigMap`. */
  readonly is: string;
  readonly fits: (value: unknown) => boolean;
  readonly isRequired: boolean;
  readonly read?: (value: object, path: string, reading: Reading) => unknown;
  /** The known keys of the value. */
  readonly within?: KnownKeys;
}

type Choice = (options: Readonly<Record<string, unknown>>) => KnownKeys | undefined;

type Inside = true | typeof FREE | KnownKeys | PropSpec | Choice;

/** A boolean. */
export const BOOLEAN = {
  is: 'true or false',
  fits: (value: unknown): value is boolean => typeof value === 'boolean',
  isRequired: false,
} as const satisfies PropSpec;

/** A number. */
export const NUMBER: PropSpec = { is: 'a number', fits: (value) => typeof value === 'number', isRequired: false };

/** A list of texts or numbers, whose items other rules check. */
export const LIST = list('a list');

/** A duration. The construct that uses it reports an invalid one. */
export const DURATION = {
  is: 'a Duration',
  fits: (value: unknown) => value !== undefined && value !== null,
  isRequired: false,
  read: (value: unknown) => goDurationOf(value) ?? value,
} as const satisfies PropSpec;

/** The keys of a type, or of all members of a union. */
export type KeysOf<Options> = Options extends unknown ? Extract<keyof Options, string> : never;

type HasDuration<Value> = [Extract<Value, Duration>] extends [never] ? false : true;

type Leaf = string | number | boolean | null | undefined;

type ValueOf<Options, Key> = Options extends unknown ? (Key extends keyof Options ? Options[Key] : never) : never;

/**
 * How to check a value of a type. `true` is for text, and for values whose type another rule reports. A boolean needs
 * `BOOLEAN`, because every value is true or false in a condition.
 */
type InsideOf<Value> =
  HasDuration<Value> extends true
    ? typeof DURATION
    : [Value] extends [boolean | null | undefined]
      ? typeof BOOLEAN
      : [Value] extends [Leaf | readonly Leaf[]]
        ? true | PropSpec
        : typeof FREE | PropSpec | Choice | KnownKeys<KeysOf<Extract<Exclude<Value, readonly unknown[]>, object>>>;

/**
 * Returns the keys of a type of options. Missing or surplus keys do not compile, so no option can be forgotten.
 *
 * @param instead what to write for keys that users mistake for options
 * @example const OPTIONS = keysOf<Options>({ mode: true, labels: FREE, probe: keysOf<Probe>({ path: true }) });
 */
export function keysOf<Options extends object>(
  inside: { readonly [Key in KeysOf<Options>]-?: InsideOf<ValueOf<Options, Key>> },
  instead: Readonly<Record<string, string>> = {},
): KnownKeys<KeysOf<Options>> {
  return { names: Object.keys(inside) as KeysOf<Options>[], inside, instead };
}

/** Returns the same keys without those that the caller sets. */
export function keysWithout<Name extends string, Left extends Name>(
  { names, inside, instead }: KnownKeys<Name>,
  ...left: readonly Left[]
): KnownKeys<Exclude<Name, Left>> {
  const rest = names.filter((name): name is Exclude<Name, Left> => !(left as readonly string[]).includes(name));
  return { names: rest, inside: inside as { readonly [Key in Exclude<Name, Left>]: Inside }, instead };
}

/** A list of options of the same type. Other rules check strings and numbers in it. */
export function each(keys: KnownKeys): PropSpec {
  const read = (items: object, path: string, reading: Reading) =>
    (items as readonly unknown[]).flatMap((item, index) => {
      const at = `${path}[${index}]`;
      if (isObject(item)) return [readMap(item, { keys, path: at }, reading)];
      if (item !== undefined && item !== null) return [item];
      reading.problems.push(wrongType(at, item, 'a map'));
      return [];
    });
  return { ...LIST, read };
}

/** Required options: a construct cannot be built without them. */
export function needed(is: string, keys: KnownKeys): PropSpec {
  const read = (options: object, path: string, reading: Reading) => readMap(options, { keys, path }, reading);
  return { is, fits: isObject, isRequired: true, read, within: keys };
}

/** Options of several kinds, as their factory functions return them, by the value of `kind`. */
export function kinds(is: string, known: Readonly<Record<string, KnownKeys>>): PropSpec {
  const keysFor = (value: unknown) => {
    const kind = isObject(value) ? (value as { readonly kind?: unknown }).kind : undefined;
    return typeof kind === 'string' && Object.hasOwn(known, kind) ? known[kind] : undefined;
  };
  const read = (options: object, path: string, reading: Reading) => {
    const keys = keysFor(options);
    return keys && readMap(options, { keys, path }, reading);
  };
  return { is, fits: (value) => keysFor(value) !== undefined, isRequired: false, read };
}

/**
 * A construct, or an object of one of the library's classes.
 *
 * @param is its class, with an article
 * @param members that identify it, because another copy of the library has other classes
 */
export function part(is: string, ...members: readonly string[]): PropSpec {
  const fits = (value: unknown) => isObject(value) && members.every((member) => member in value);
  return { is, fits, isRequired: false };
}

/** A construct, or options to create one. */
export function partOr({ is, fits }: PropSpec, keys: KnownKeys): PropSpec {
  const read = (value: object, path: string, reading: Reading) =>
    fits(value) ? value : readMap(value, { keys, path }, reading);
  return { is: `${is}, or options`, fits: isObject, isRequired: false, read, within: keys };
}

/** A string, such as a name. */
export function text(is: string): PropSpec {
  return { is, fits: (value) => typeof value === 'string', isRequired: false };
}

/** A list, whose items other rules check. */
export function list(is: string): PropSpec {
  return { is, fits: Array.isArray, isRequired: false };
}

/** Returns the spec of a required prop of the same type. */
export function required(spec: PropSpec): PropSpec {
  return { ...spec, isRequired: true };
}

/** Options in which all durations are Durations. */
export type Read<Options> = {
  [Key in keyof Options]: HasDuration<Options[Key]> extends true ? Exclude<Options[Key], string> : Options[Key];
};

/** Options after reading. */
export interface ReadOptions<Options> {
  /** The known options, as plain data, without undefined and null; durations are Durations. */
  readonly options: Read<Options>;
  /** Unknown keys. */
  readonly problems: readonly Problem[];
  /** Missing or invalid parts that a construct cannot be built without. */
  readonly missing: readonly Problem[];
}

/**
 * Reads options that JavaScript may pass: a map with other keys, null, or a value that is not a map. Getters and
 * inherited keys count like own keys; other members of an instance are ignored.
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
  const options = readMap(isObject(given) ? given : {}, { keys, path }, reading) as Read<Options>;
  return { options, problems: reading.problems, missing: reading.missing };
}

/** Returns the unknown keys of options, at any depth. */
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
      // Undefined removes a key, as in `{ ...props, own: undefined }`.
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
  if (typeof inside === 'object' && 'fits' in inside) return readAs(value, inside, path, reading);
  if (inside === FREE || value === undefined || value === null) return inside === FREE ? value : undefined;
  if (inside === true) return readAs(value, PLAIN, path, reading);
  // The construct that uses the value reports another form.
  if (!isObject(value)) return value;
  const keys = typeof inside === 'function' ? inside(value as Readonly<Record<string, unknown>>) : inside;
  return keys === undefined ? value : readMap(value, { keys, path }, reading);
}

const PLAIN: PropSpec = {
  is: 'a text, a number or a list',
  fits: (value) => !['symbol', 'function', 'bigint'].includes(typeof value),
  isRequired: false,
};

function readAs(value: unknown, spec: PropSpec, path: string, reading: Reading): unknown {
  if (spec.fits(value)) return spec.read === undefined ? value : spec.read(value as object, path, reading);
  if (spec.isRequired) reading.missing.push(noPart(path, value, spec));
  else if (value !== undefined && value !== null) reading.problems.push(wrongType(path, value, spec.is));
  return undefined;
}

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
  return KUBERNETES_FINDINGS.wrongTypeValue({
    path: path === '' ? 'props' : path,
    value: shownValue(given),
    expected: 'a map of options',
  });
}

function wrongType(path: string, value: unknown, type: string): Problem {
  return KUBERNETES_FINDINGS.wrongTypeValue({ path, value: shownValue(value), expected: type }, { about: path });
}

function noPart(path: string, value: unknown, { is: expected, fits }: PropSpec): Problem {
  const name = path.slice(path.lastIndexOf('.') + 1);
  const parameters = { path, value: shownValue(value), expected };
  if (isObject(value) && fits(value[name])) {
    return KUBERNETES_FINDINGS.partMissingMember({ ...parameters, member: name }, { about: path });
  }
  return KUBERNETES_FINDINGS.partMissing(parameters, { about: path });
}

function unknownKey(key: string, { keys, path }: Place, root: Place): Problem {
  const about = under(path, key);
  const [similar] = suggest(key, keys.names);
  const instead = Object.hasOwn(keys.instead, key) ? keys.instead[key] : undefined;
  const meant = instead ?? (similar === undefined ? placeOf(key, root) : under(path, similar));
  return meant === undefined
    ? KUBERNETES_FINDINGS.optionUnknown({ path: about, known: keys.names.join(', ') }, { about })
    : KUBERNETES_FINDINGS.optionUnknownMeant({ path: about, meant }, { about });
}

function placeOf(key: string, root: Place): string | undefined {
  let level: readonly Place[] = [root];
  while (level.length > 0) {
    const found = level.find(({ keys }) => keys.names.includes(key));
    if (found !== undefined) return under(found.path, key);
    level = level.flatMap(({ keys, path }) =>
      keys.names.flatMap((name) => {
        const inside = keys.inside[name];
        if (typeof inside !== 'object') return [];
        const within = 'names' in inside ? inside : inside.within;
        return within === undefined ? [] : [{ keys: within, path: under(path, name) }];
      }),
    );
  }
  return undefined;
}
