import { createHash } from 'node:crypto';
import { canonicalJson } from '#base/canonical-json';
import { isMap, type Values } from '#base/values';
import { componentValues } from '#operator/api/component-values';

/** Length of a hash: enough of a SHA-256 to distinguish the configurations of one mesh, and short enough to read. */
const LENGTH = 16;

/** Hashes values, regardless of the order of keys and the style of YAML: 16 hexadecimal digits. */
export function valuesHash(values: Values): string {
  return createHash('sha256').update(canonicalJson(values)).digest('hex').slice(0, LENGTH);
}

/** Returns {@link valuesHash} of the proxies' configuration: without the values that only Linkerd's components use. */
export function configHash(values: Values): string {
  return valuesHash(
    componentValues(values.linkerdVersion).reduce((rest, path) => without(rest, path.split('.')), values),
  );
}

function without(values: Values, [key = '', ...below]: readonly string[]): Values {
  if (!Object.hasOwn(values, key)) return values;
  const { [key]: value, ...rest } = values;
  if (below.length === 0) return rest;
  return isMap(value) ? { ...rest, [key]: without(value, below) } : values;
}
