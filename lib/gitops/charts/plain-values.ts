import type { IConstruct } from 'constructs';
import type { Values } from '#base/values';
import { plainCopy } from '#kubernetes/objects/plain-data';
import { addRule } from '../tree/add-rule';

/**
 * Returns a construct's values as immutable plain data. Values that cannot be written are left out, and reported at the
 * construct.
 */
export function plainValues(scope: IConstruct, values: object | undefined): Values {
  const { data, problems } = plainCopy((values ?? {}) as Values, 'values');
  if (problems.length > 0) addRule(scope, () => problems);
  return data;
}
