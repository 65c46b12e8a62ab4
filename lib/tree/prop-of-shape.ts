import type { IConstruct } from 'constructs';
import { shownValue, violationOf } from '../../operator/api/violation';
import { checkDnsLabel } from '../kubernetes/names';
import { isObject } from '../kubernetes/select-fields';
import type { Problem } from '../problems/problem';
import { addRule } from './add-rule';

/** A construct's prop that is a list; where it is none, which is reported, it counts as left out. */
export function propOfList<T>(
  scope: IConstruct,
  field: string,
  list: readonly T[] | undefined,
): readonly T[] | undefined {
  if (list === undefined || list === null || Array.isArray(list)) return list ?? undefined;
  addRule(scope, () => [misshapen(field, list, 'a list')]);
  return undefined;
}

/** A construct's prop that is a map; where it is none, which is reported, it counts as left out. */
export function propOfMap<T extends object>(scope: IConstruct, field: string, map: T | undefined): T | undefined {
  if (map === undefined || map === null || isObject(map)) return map ?? undefined;
  addRule(scope, () => [misshapen(field, map, 'a map')]);
  return undefined;
}

/** A construct's prop that is a name; an empty one, which is reported, counts as left out: names are made of it. */
export function propOfName(scope: IConstruct, field: string, name: string | undefined): string | undefined {
  if (name === '') addRule(scope, () => checkDnsLabel(field, name));
  return name === '' ? undefined : (name ?? undefined);
}

function misshapen(field: string, value: unknown, shape: string): Problem {
  return {
    code: 'wrong-type',
    violates: violationOf('form', value),
    what: `${field} is ${shownValue(value)}, not ${shape}`,
    why: 'Nothing of it could be understood',
    fix: `give ${shape}, or leave ${field} out`,
  };
}
