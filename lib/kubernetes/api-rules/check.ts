import { isObject } from '../select-fields';
import { isPart } from '../sync-options';
import { showValue } from '../value-path';

/** The reason of most rules. */
export const REFUSES = 'Kubernetes refuses it';

/** An object's fields, of which nothing is known. */
export type Fields = Readonly<Record<string, unknown>>;

/** A refusal of one place by the API server. */
interface Refusal {
  /** The name of this kind of mistake: a Problem's code. */
  readonly code: string;
  /** The fault of the place, as the end of a sentence that begins with its path. */
  readonly says: string;
  readonly why: string;
  readonly fix: string;
}

/** A refusal, and its place. */
export interface Refused extends Refusal {
  readonly place: readonly (string | number)[];
}

/**
 * A rule about one value. It says nothing of values of another type than its own, nor of what is missing: the schemas
 * tell that.
 */
export type Check = (value: unknown, findings: Findings) => void;

/** Collects what the checks of one object refuse, and knows where in the object they are. */
export class Findings {
  readonly refused: Refused[] = [];
  private readonly way: (string | number)[] = [];

  /** Tells whether the object is a part of one in the cluster: what is missing here may be there. */
  readonly isPart: boolean;

  /** @param root the whole object, where a rule depends on what is far from its place */
  constructor(readonly root: Fields) {
    this.isPart = isPart(own(objectIn(root, 'metadata'), 'annotations'));
  }

  /** Checks what is in a field or in an item of where the checks are. */
  at(step: string | number, value: unknown, check: Check): void {
    if (value === undefined || value === null) return;
    this.way.push(step);
    check(value, this);
    this.way.pop();
  }

  /** Refuses a place for what is there. */
  refuse(refusal: Refusal, ...below: readonly (string | number)[]): void {
    this.refused.push({ ...refusal, place: [...this.way, ...below] });
  }

  /** Refuses a place for what is missing there, or there together: of a part, the rest is in the cluster. */
  refuseWhole(refusal: Refusal, ...below: readonly (string | number)[]): void {
    if (!this.isPart) this.refuse(refusal, ...below);
  }

  /** Refuses a value for what it is. */
  refuseValue(value: unknown, why: string, fix: string, ...below: readonly (string | number)[]): void {
    this.refuse({ code: 'value-refused', says: `is ${showValue(value)}`, why, fix }, ...below);
  }

  /** Refuses a value that another one is equal to. */
  refuseRepetition(value: unknown, why: string, fix: string, ...below: readonly (string | number)[]): void {
    this.refuse({ code: 'repeated-item', says: `is ${showValue(value)}`, why, fix }, ...below);
  }
}

/** Checks that hold for the fields of an object. */
export function fields(checks: Readonly<Record<string, Check>>): Check {
  const entries = Object.entries(checks);
  return (value, findings) => {
    if (!isObject(value)) return;
    for (const [key, check] of entries) findings.at(key, own(value, key), check);
  };
}

/** A check of each item of a list. */
export function each(check: Check): Check {
  return (value, findings) => {
    if (!Array.isArray(value)) return;
    for (let index = 0; index < value.length; index++) findings.at(index, value[index], check);
  };
}

/** All of several checks. */
export function all(...checks: readonly Check[]): Check {
  return (value, findings) => {
    for (const check of checks) check(value, findings);
  };
}

/** A check of an object as such. */
export function object(check: (fields: Fields, findings: Findings) => void): Check {
  return (value, findings) => {
    if (isObject(value)) check(value, findings);
  };
}

/** A field of an object itself: `constructor` is no field of an object that has none. */
export function own(value: Fields, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Tells whether there is something in a field. */
export function has(value: Fields, key: string): boolean {
  const found = own(value, key);
  return found !== undefined && found !== null;
}

/** The items of a list in a field; none if there is no list. */
export function listIn(value: Fields, key: string): readonly unknown[] {
  const found = own(value, key);
  return Array.isArray(found) ? found : [];
}

/** The object in a field; empty if there is none. */
export function objectIn(value: Fields, key: string): Fields {
  const found = own(value, key);
  return isObject(found) ? found : {};
}

/** The text in a field, where an empty one is none. */
export function textAt(value: Fields, key: string): string | undefined {
  const found = own(value, key);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** Objects without a spec say nothing, though the schemas allow it. */
export const needsSpec: Check = object((value, findings) => {
  if (has(value, 'spec')) return;
  findings.refuseWhole({
    code: 'field-missing',
    says: 'has no spec',
    why: 'Kubernetes refuses it: it says nothing',
    fix: 'add the spec',
  });
});

/** Returns a value that is an object, and an empty one for any other. */
export function objectOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}
