import type { Problem } from '#base/findings/problem';
import { isObject, objectOf } from '#base/is-object';
import { dottedPath, showValue } from '#base/value-path';
import type { RuleArguments } from '../findings/rule-words';
import { type NameForm, proposal } from '../names';
import { isPart } from '../objects/argocd-annotations';
import { FIELD_FINDINGS } from '../schemas/findings';
import type { FORBIDDEN_RULES, REQUIRED_RULES, SIZE_FIXES, SizeUnit, UNIQUE_RULES } from '../schemas/presence-rules';
import type { KEY_RULES, VALUE_RULES } from '../schemas/value-rules';

/** An object's fields, of unknown types. */
export type Fields = Readonly<Record<string, unknown>>;

type Path = readonly (string | number)[];

type Refusal = (field: Path, details: Pick<Problem, 'place'>) => Problem;

/** A refusal, and its field. */
export interface Refused {
  readonly refusal: Refusal;
  readonly field: Path;
}

type ValueRules = typeof VALUE_RULES;

/** Refuses a value that breaks a rule. */
export function invalid<Rule extends keyof ValueRules>(
  value: unknown,
  rule: Rule,
  ...[parameters]: RuleArguments<ValueRules[Rule]>
): Refusal {
  return (field, details) =>
    FIELD_FINDINGS.fieldRefusedInvalid(
      { field: fieldAt(field), value: showValue(value), rule, ...parameters },
      details,
    );
}

/** A rule for values whose message needs no parameters. */
export type PlainValueRule = {
  [Rule in keyof ValueRules]: RuleArguments<ValueRules[Rule]> extends [] ? Rule : never;
}[keyof ValueRules];

/** Refuses a key of a map: the last step of the path. */
export function invalidKey(rule: keyof typeof KEY_RULES): Refusal {
  return (field, details) =>
    FIELD_FINDINGS.fieldRefusedInvalidKey(
      { field: fieldAt(field.slice(0, -1)), value: showValue(field.at(-1)), rule },
      details,
    );
}

/** Refuses a string in the wrong format. */
export function invalidName(value: string, form: NameForm): Refusal {
  const { title, maxLength: most } = form;
  const proposed = proposal(value, form);
  return value.length > most
    ? invalid(value, 'name-length', { form: title, length: value.length, most, proposed })
    : invalid(value, 'name-form', { form: title, proposed });
}

/** Refuses a value that the API server does not support. */
export function notSupported(value: unknown, values: readonly string[]): Refusal {
  const supported = values.map((one) => showValue(one)).join(', ');
  return (field, details) =>
    FIELD_FINDINGS.fieldRefusedNotSupported(
      { field: fieldAt(field), value: showValue(value), supported, remedy: 'correct', hint: '' },
      details,
    );
}

type RequiredRules = typeof REQUIRED_RULES;

/** Refuses an object without a required field, or without any of several fields. */
export function required<Rule extends keyof RequiredRules>(
  name: string,
  rule: Rule,
  ...[parameters]: RuleArguments<RequiredRules[Rule]>
): Refusal {
  return (path, details) => {
    const holder = fieldAt(path);
    const field = holder === '' ? name : `${holder}.${name}`;
    return FIELD_FINDINGS.fieldRefusedRequired({ field, rule, ...parameters }, details);
  };
}

type ForbiddenRules = typeof FORBIDDEN_RULES;

/** Refuses a field that must not be set, alone or together with others. */
export function forbidden<Rule extends keyof ForbiddenRules>(
  rule: Rule,
  ...[parameters]: RuleArguments<ForbiddenRules[Rule]>
): Refusal {
  return (field, details) =>
    FIELD_FINDINGS.fieldRefusedForbidden({ field: fieldAt(field), rule, ...parameters }, details);
}

/** Refuses a duplicate of a value that must be unique. */
export function duplicate(value: unknown, rule: Exclude<keyof typeof UNIQUE_RULES, 'schema'>): Refusal {
  return (field, details) =>
    FIELD_FINDINGS.fieldRefusedDuplicate({ field: fieldAt(field), value: showValue(value), rule }, details);
}

/** Refuses a string, list or map that is too long. */
export function tooLong(size: number, most: number, unit: SizeUnit, remedy: keyof typeof SIZE_FIXES): Refusal {
  return (field, details) =>
    FIELD_FINDINGS.fieldRefusedTooLong({ field: fieldAt(field), size, most, unit, remedy }, details);
}

function fieldAt(path: Path): string {
  return dottedPath(path.map(String));
}

/** A rule for one value. It ignores values of other types, and missing ones, which the schemas report. */
export type Check = (value: unknown, findings: Findings) => void;

/** Collects the refusals of one object's checks, with their places in the object. */
export class Findings {
  readonly refused: Refused[] = [];
  private readonly way: (string | number)[] = [];

  /** Whether the object is only a part of an object in the cluster, which may have the missing fields. */
  readonly isPart: boolean;

  /** @param root the whole object, for rules that compare distant fields */
  constructor(readonly root: Fields) {
    this.isPart = isPart(own(objectIn(root, 'metadata'), 'annotations'));
  }

  /** Checks a field or an item below the current place. */
  at(step: string | number, value: unknown, check: Check): void {
    if (value === undefined || value === null) return;
    this.way.push(step);
    check(value, this);
    this.way.pop();
  }

  /** Refuses a place because of its value. */
  refuse(refusal: Refusal, ...below: readonly (string | number)[]): void {
    this.refused.push({ refusal, field: [...this.way, ...below] });
  }

  /**
   * Refuses a place because of missing or conflicting fields. Does nothing for a part, whose other fields are in the
   * cluster.
   */
  refuseWhole(refusal: Refusal, ...below: readonly (string | number)[]): void {
    if (!this.isPart) this.refuse(refusal, ...below);
  }
}

/** Checks the fields of an object. */
export function fields(checks: Readonly<Record<string, Check>>): Check {
  const entries = Object.entries(checks);
  return (value, findings) => {
    if (!isObject(value)) return;
    for (const [key, check] of entries) findings.at(key, own(value, key), check);
  };
}

/** Checks each item of a list. */
export function each(check: Check): Check {
  return (value, findings) => {
    if (!Array.isArray(value)) return;
    for (let index = 0; index < value.length; index++) findings.at(index, value[index], check);
  };
}

/** Combines several checks. */
export function all(...checks: readonly Check[]): Check {
  return (value, findings) => {
    for (const check of checks) check(value, findings);
  };
}

/** Checks an object as a whole. */
export function object(check: (fields: Fields, findings: Findings) => void): Check {
  return (value, findings) => {
    if (isObject(value)) check(value, findings);
  };
}

/** Returns an object's own field, so that an inherited `constructor` is not a field. */
export function own(value: Fields, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Whether a field is set. */
export function has(value: Fields, key: string): boolean {
  const found = own(value, key);
  return found !== undefined && found !== null;
}

/** Returns the items of a list in a field; none if it is not a list. */
export function listIn(value: Fields, key: string): readonly unknown[] {
  const found = own(value, key);
  return Array.isArray(found) ? found : [];
}

/** Returns the object in a field; empty if there is none. */
export function objectIn(value: Fields, key: string): Fields {
  return objectOf(own(value, key));
}

/** Returns the text in a field; undefined if it is empty. */
export function textAt(value: Fields, key: string): string | undefined {
  const found = own(value, key);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** Requires a spec: without it an object has no effect, although the schemas allow it. */
export const needsSpec: Check = object((value, findings) => {
  if (has(value, 'spec')) return;
  findings.refuseWhole(required('spec', 'spec'));
});

/** Requires exactly one of some fields, such as sources or actions. */
export function exactlyOne(...names: readonly string[]): Check {
  return object((value, findings) => {
    const set = names.filter((name) => has(value, name));
    const [first, second] = set;
    if (first === undefined) {
      findings.refuseWhole(required(`${names.slice(0, -1).join(', ')} or ${names.at(-1)}`, 'one-of-several'));
    } else if (second !== undefined) {
      findings.refuseWhole(forbidden('one-of-several', { other: first }), second);
    }
  });
}

/** Allows at most one of some fields. */
export function atMostOne(...names: readonly string[]): Check {
  const check = exactlyOne(...names);
  const known = new Set(names);
  return object((value, findings) => {
    let count = 0;
    for (const key of Object.keys(value)) if (known.has(key) && has(value, key)) count += 1;
    if (count > 1) check(value, findings);
  });
}

/** Checks, by the name of the definition in Kubernetes' OpenAPI that they apply to. */
export type RuleTable = Readonly<Record<string, Check>>;
