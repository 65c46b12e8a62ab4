import type { Problem } from '#base/findings/problem';
import { dottedPath } from '#base/value-path';
import { isPlainRemedy, KUBERNETES_FINDINGS, type PlainRemedy } from '../findings/findings';
import { describeObject, type KubernetesObject } from './kubernetes-object';

/** Maximum nesting of maps and lists: far more than any chart or object has. */
export const MAX_NESTED = 100;

/** Data that can be written, and the problems of other data. */
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
  if (typeof data === 'object' && data !== null && COPIES.has(data)) return { data, problems: [] };
  const copier = new Copier(root);
  const made = copier.copy(data);
  const copy = made === LEFT_OUT ? {} : made;
  if (typeof copy === 'object' && copy !== null) COPIES.add(copy);
  return { data: copy as T, problems: copier.problems };
}

/** Copies, which are not copied again when they are passed on. */
const COPIES = new WeakSet<object>();

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

/** Whether data is plain, by the same rules as `checkPlain`, but faster. */
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
      return data === null || (depth < MAX_NESTED && isPlainObject(data, depth + 1));
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
    if (this.ancestors.length >= MAX_NESTED) return this.refuse(TOO_DEEP);
    this.ancestors.push(value);
    try {
      if (Array.isArray(value)) return this.copyList(value);
      const said = this.reading.fault(value);
      const fault: Fault | undefined = said === undefined ? instanceFault(value) : { is: said, remedy: 'rewrite' };
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
    return Object.freeze(items);
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
    return Object.freeze(Object.fromEntries(members));
  }

  /** A top-level member with a problem is dropped, because rules could not interpret its incomplete data. */
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
      const message = error instanceof Error ? error.message : 'a value that is not an Error';
      return this.refuse({ is: `a getter that throws: ${message}`, remedy: 'getter' });
    }
  }

  private refuse({ is, remedy }: Fault): typeof LEFT_OUT {
    this.problems.push(KUBERNETES_FINDINGS.wrongTypePlainData({ place: this.place(), value: is, remedy }));
    return LEFT_OUT;
  }

  private place(): string {
    const [first, ...others] = this.path.length > 12 ? [...this.path.slice(0, 12), '…'] : this.path;
    const path = first === undefined ? this.root : dottedPath([first, ...others]);
    if (first === undefined) return path;
    // After a colon, the path within the object follows.
    if (this.root.endsWith(':')) return `${this.root} ${path}`;
    return path.startsWith('[') ? `${this.root}${path}` : `${this.root}.${path}`;
  }
}

interface Fault {
  /** Completes "values.a is". */
  readonly is: string;
  readonly remedy: PlainRemedy;
}

const HALF_A_PAIR: Fault = { is: 'a string with half of a surrogate pair, which no file can hold', remedy: 'text' };
const IN_ITSELF: Fault = { is: 'a map or list that contains itself', remedy: 'cycle' };
const HOLE: Fault = { is: 'undefined in a list', remedy: 'hole' };
const TOO_DEEP: Fault = { is: `more than ${MAX_NESTED} levels deep`, remedy: 'depth' };

function numberFault(number: number): Fault {
  return { is: String(number), remedy: 'number' };
}

function primitiveFault(value: unknown): Fault {
  if (typeof value !== 'bigint') return { is: `a ${typeof value}`, remedy: 'remove' };
  return { is: 'a BigInt', remedy: Number.isSafeInteger(Number(value)) ? 'BigInt' : 'large BigInt' };
}

function instanceFault(value: object): Fault | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return undefined;
  const name = classNameOf(prototype as object);
  return { is: `a ${name || 'class instance'}, not plain data`, remedy: isPlainRemedy(name) ? name : 'rewrite' };
}

function classNameOf(prototype: object): string {
  try {
    const { name } = prototype.constructor;
    return typeof name === 'string' ? name : '';
  } catch {
    return '';
  }
}
