import type { Problem } from '../findings/problem';
import { formFault, type NameForm } from '../names';
import { FIELD_FINDINGS } from '../schemas/findings';
import { isObject } from '../select-fields';
import { isPart } from '../sync-options';
import { dottedPath, showValue } from '../value-path';

/** An object's fields, of which nothing is known. */
export type Fields = Readonly<Record<string, unknown>>;

/** The steps from the root of an object to a place in it. */
type Path = readonly (string | number)[];

/** Makes the finding of a place that the API server refuses. */
type Refusal = (field: Path, details: Pick<Problem, 'place'>) => Problem;

/** A refusal, and the field that it is about. */
export interface Refused {
  readonly refusal: Refusal;
  readonly field: Path;
}

/** A value that breaks a rule. */
export function invalid(value: unknown, rule: string, remedy: string): Refusal {
  return (field, details) =>
    FIELD_FINDINGS.fieldInvalid({ field: fieldAt(field), value: showValue(value), rule, remedy }, details);
}

/** A key of the map at a place: the last step of it. */
export function invalidKey(rule: string, remedy: string): Refusal {
  return (field, details) => {
    const holder = `a key of ${fieldAt(field.slice(0, -1))}`;
    return FIELD_FINDINGS.fieldInvalid({ field: holder, value: showValue(field.at(-1)), rule, remedy }, details);
  };
}

/** A text that does not have a form. */
export function invalidName(value: string, form: NameForm): Refusal {
  const { value: shown, rule, remedy } = formFault(value, form);
  return (field, details) =>
    FIELD_FINDINGS.fieldInvalid({ field: fieldAt(field), value: shown, rule, remedy }, details);
}

/** A value that is not among those that the API server knows. */
export function notSupported(value: unknown, values: readonly string[]): Refusal {
  const supported = values.map((one) => showValue(one)).join(', ');
  const remedy = `write ${values.length === 1 ? '' : 'one of '}${supported}`;
  return (field, details) =>
    FIELD_FINDINGS.fieldNotSupported({ field: fieldAt(field), value: showValue(value), supported, remedy }, details);
}

/** A field that is missing below a place, or several of which one is. */
export function required(name: string, rule: string, remedy: string): Refusal {
  return (field, details) => {
    const holder = fieldAt(field);
    return FIELD_FINDINGS.fieldRequired({ field: holder === '' ? name : `${holder}.${name}`, rule, remedy }, details);
  };
}

/** A field that must not be there, by itself or beside others. */
export function forbidden(rule: string, remedy: string): Refusal {
  return (field, details) => FIELD_FINDINGS.fieldForbidden({ field: fieldAt(field), rule, remedy }, details);
}

/** A value that must be unique and is not. */
export function duplicate(value: unknown, rule: string, remedy: string): Refusal {
  return (field, details) =>
    FIELD_FINDINGS.fieldDuplicate({ field: fieldAt(field), value: showValue(value), rule, remedy }, details);
}

/** A text, a list or a map that is too long; sizes with their unit. */
export function tooLong(size: string, most: string, remedy: string): Refusal {
  return (field, details) => FIELD_FINDINGS.fieldTooLong({ field: fieldAt(field), size, most, remedy }, details);
}

function fieldAt(path: Path): string {
  return dottedPath(path.map(String));
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
    this.refused.push({ refusal, field: [...this.way, ...below] });
  }

  /** Refuses a place for what is missing there, or there together: of a part, the rest is in the cluster. */
  refuseWhole(refusal: Refusal, ...below: readonly (string | number)[]): void {
    if (!this.isPart) this.refuse(refusal, ...below);
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
  findings.refuseWhole(required('spec', 'an object without a spec describes nothing', 'add the spec'));
});

/** Returns a value that is an object, and an empty one for any other. */
export function objectOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** Exactly one of some fields, of which each says where something comes from or what is done. */
export function exactlyOne(names: readonly string[], rule: string): Check {
  return object((value, findings) => {
    const set = names.filter((name) => has(value, name));
    const [first, second] = set;
    if (first === undefined) findings.refuseWhole(required(eitherOf(names), rule, 'add one of them'));
    else if (second !== undefined) {
      findings.refuseWhole(forbidden(`${first} is set, and ${rule}`, 'keep one of them'), second);
    }
  });
}

function eitherOf(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

/** At most one of some fields. */
export function atMostOne(names: readonly string[], rule: string): Check {
  const check = exactlyOne(names, rule);
  const known = new Set(names);
  return object((value, findings) => {
    let count = 0;
    for (const key of Object.keys(value)) if (known.has(key) && has(value, key)) count += 1;
    if (count > 1) check(value, findings);
  });
}

/** Checks by the name of the definition in Kubernetes' OpenAPI whose objects they are about. */
export type RuleTable = Readonly<Record<string, Check>>;
