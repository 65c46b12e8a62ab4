import { KUBERNETES_FINDINGS } from './findings/findings';
import type { Problem } from './findings/problem';
import { describeObject, type KubernetesObject } from './kubernetes-object';
import { dottedPath } from './value-path';

/** Maximum nesting of maps and lists: far more than any chart or object has. */
export const MOST_NESTED = 100;

/** Data that can be written, and problems of the rest. */
export interface PlainCopy<T> {
  /** A frozen copy, without data that cannot be written. */
  readonly data: T;
  readonly problems: readonly Problem[];
}

/**
 * Copies what JSON can represent: strings, numbers, booleans, null, lists and maps. Other values (an instance of a
 * class, a function, an infinite number) are left out and reported: other serializers would write them as an empty map,
 * or drop them. Absent members of maps (`undefined`) stay absent.
 *
 * Every member is read once, so that computed members cannot change later.
 *
 * @param root how messages name the data
 */
export function plainCopy<T>(data: T, root: string): PlainCopy<T> {
  const copier = new Copier(root);
  const copy = copier.copy(data);
  return { data: (copy === LEFT_OUT ? {} : copy) as T, problems: copier.problems };
}

/** How to read lazy data, and what else to check. */
export interface Reading {
  /** Returns the value of a lazy object; by default the object itself. */
  readonly produced: (value: object) => unknown;
  /** Returns the fault of a map, for messages. */
  readonly fault: (map: object) => string | undefined;
}

/** Reports data that is not plain. */
export function checkPlain(data: unknown, root: string, reading?: Reading): readonly Problem[] {
  const copier = new Copier(root, reading);
  copier.copy(data);
  return copier.problems;
}

/** Reports parts of an object that are not plain. */
export function checkPlainObject(object: KubernetesObject): readonly Problem[] {
  return isPlain(object) ? [] : checkPlain(object, `${describeObject(object)}:`);
}

/** Freezes data at all depths. */
export function deepFreeze<T>(data: T): T {
  if (typeof data !== 'object' || data === null) return data;
  Object.freeze(data);
  for (const member of Object.values(data)) deepFreeze(member);
  return data;
}

/** Whether data is plain: the same as `checkPlain`, in a fraction of the time. */
export function isPlain(data: unknown, depth = 0): boolean {
  switch (typeof data) {
    case 'string':
      return data.isWellFormed();
    case 'number':
      return Number.isFinite(data);
    case 'boolean':
    case 'undefined':
      return true;
    case 'object':
      return data === null || (depth < MOST_NESTED && isPlainObject(data, depth + 1));
    default:
      return false;
  }
}

function isPlainObject(data: object, depth: number): boolean {
  if (Array.isArray(data)) return data.every((item) => item !== undefined && isPlain(item, depth));
  if (instanceFault(data) !== undefined) return false;
  for (const key of Object.keys(data)) {
    if (!isPlain((data as Readonly<Record<string, unknown>>)[key], depth)) return false;
  }
  return true;
}

const LEFT_OUT = Symbol('left out');

class Copier {
  readonly problems: Problem[] = [];
  private readonly path: string[] = [];
  private readonly ancestors: object[] = [];

  constructor(
    private readonly root: string,
    private readonly reading: Reading = { produced: (value) => value, fault: () => undefined },
  ) {}

  copy(value: unknown): unknown {
    switch (typeof value) {
      case 'string':
        return value.isWellFormed() ? value : this.refuse(HALF_A_PAIR);
      case 'number':
        return Number.isFinite(value) ? value : this.refuse(numberFault(value));
      case 'boolean':
      case 'undefined':
        return value;
      case 'object':
        return value === null ? null : this.copyObject(value);
      default:
        return this.refuse(primitiveFault(value));
    }
  }

  private copyObject(value: object): unknown {
    const data = this.read(() => this.reading.produced(value));
    return data === value ? this.copyCollection(value) : data === LEFT_OUT ? LEFT_OUT : this.copy(data);
  }

  private copyCollection(value: object): unknown {
    if (this.ancestors.includes(value)) return this.refuse(IN_ITSELF);
    if (this.ancestors.length >= MOST_NESTED) return this.refuse(TOO_DEEP);
    this.ancestors.push(value);
    try {
      if (Array.isArray(value)) return this.copyList(value);
      const said = this.reading.fault(value);
      const fault = said === undefined ? instanceFault(value) : { is: said, fix: 'write it otherwise' };
      return fault === undefined ? this.copyMap(value) : this.refuse(fault);
    } finally {
      this.ancestors.pop();
    }
  }

  private copyList(list: readonly unknown[]): unknown {
    const items: unknown[] = [];
    for (let index = 0; index < list.length; index++) {
      const item = this.member(String(index), () => (list[index] === undefined ? this.refuse(HOLE) : list[index]));
      if (item !== LEFT_OUT) items.push(item);
    }
    return items;
  }

  private copyMap(map: object): unknown {
    const members: [string, unknown][] = [];
    for (const key of Object.keys(map)) {
      const found = this.problems.length;
      const member = this.member(key, () =>
        key.isWellFormed() ? (map as Readonly<Record<string, unknown>>)[key] : this.refuse(HALF_A_PAIR),
      );
      if (member !== LEFT_OUT && !this.spoilt(found)) members.push([key, member]);
    }
    return Object.fromEntries(members);
  }

  /** Below a self-referring key, partially plain data is dropped, because rules could not interpret it. */
  private spoilt(found: number): boolean {
    return this.path.length === 0 && this.problems.length > found;
  }

  private member(key: string, read: () => unknown): unknown {
    this.path.push(key);
    try {
      const value = this.read(read);
      return value === LEFT_OUT ? LEFT_OUT : this.copy(value);
    } finally {
      this.path.pop();
    }
  }

  private read(read: () => unknown): unknown {
    try {
      return read();
    } catch (error) {
      const message = error instanceof Error ? error.message : 'something that is no Error';
      return this.refuse({ is: `a getter that throws: ${message}`, fix: 'give the value itself' });
    }
  }

  private refuse({ is, fix }: Fault): typeof LEFT_OUT {
    this.problems.push(KUBERNETES_FINDINGS.wrongTypePlainData({ place: this.place(), value: is, remedy: fix }));
    return LEFT_OUT;
  }

  private place(): string {
    const [first, ...others] = this.path.length > 12 ? [...this.path.slice(0, 12), '…'] : this.path;
    const path = first === undefined ? this.root : dottedPath([first, ...others]);
    if (first === undefined) return path;
    // After a colon follows a path within an object.
    if (this.root.endsWith(':')) return `${this.root} ${path}`;
    return path.startsWith('[') ? `${this.root}${path}` : `${this.root}.${path}`;
  }
}

/** The reason why a value is not plain. */
interface Fault {
  readonly is: string;
  readonly fix: string;
}

const HALF_A_PAIR: Fault = { is: 'a text with half of a surrogate pair, which no file can hold', fix: 'correct it' };
const IN_ITSELF: Fault = { is: 'one of the maps or lists that it stands in', fix: 'give a copy without the cycle' };
const HOLE: Fault = { is: 'undefined in a list', fix: 'remove it from the list, or write null' };
const TOO_DEEP: Fault = { is: `more than ${MOST_NESTED} levels deep`, fix: 'nest it less' };

function numberFault(number: number): Fault {
  return { is: String(number), fix: 'give a number that can be written in digits' };
}

function primitiveFault(value: unknown): Fault {
  if (typeof value !== 'bigint') return { is: `a ${typeof value}`, fix: 'remove it' };
  const isSafe = Number.isSafeInteger(Number(value));
  return { is: 'a BigInt', fix: isSafe ? `write ${value} without the "n"` : `write it as a text: "${value}"` };
}

/** How instances of well-known classes are written as plain data; only these have such a form. */
const AS_PLAIN_DATA: Readonly<Record<string, string>> = {
  Map: 'write a map: Object.fromEntries(…)',
  Set: 'write a list: [...set]',
  URL: 'write its href',
  RegExp: 'write its source',
  Date: 'write it as a text; in YAML, put it in quotes',
  Duration: 'write it as a text with its unit, "48h" for instance',
  Size: 'write it as a text with its unit: size.asString()',
  Cron: 'write its expressionString',
  Buffer: 'write it as a text: buffer.toString("base64")',
  String: 'write the text itself',
  Number: 'write the number itself',
  Boolean: 'write true or false',
};

function instanceFault(value: object): Fault | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return undefined;
  const name = classNameOf(prototype as object);
  const fix = Object.hasOwn(AS_PLAIN_DATA, name) ? AS_PLAIN_DATA[name] : undefined;
  return { is: `a ${name || 'class instance'}, not plain data`, fix: fix ?? 'write what it stands for as plain data' };
}

function classNameOf(prototype: object): string {
  try {
    const { name } = prototype.constructor;
    return typeof name === 'string' ? name : '';
  } catch {
    return '';
  }
}
