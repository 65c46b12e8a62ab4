import type { Problem } from '#base/findings/problem';
import type { Value } from '#base/values';
import { INJECTION_FINDINGS } from './findings';

/**
 * Checks that the ports of a proxy are distinct, because it can listen only once on each.
 *
 * @param field - the field that contains the ports
 */
export function checkPortsDiffer(
  field: string,
  ports: Readonly<Record<string, Value | undefined>>,
): readonly Problem[] {
  const names = new Map<Value, string[]>();
  for (const [name, port] of Object.entries(ports)) {
    if (typeof port !== 'number') continue;
    names.set(port, [...(names.get(port) ?? []), name]);
  }
  return [...names]
    .filter(([, equal]) => equal.length > 1)
    .map(([port, equal]) =>
      INJECTION_FINDINGS.injectedValueRefusedPortsEqual(
        { fields: `${field}.${equal.join(` and ${field}.`)}`, port: Number(port) },
        { about: `${field}.${equal[0]}` },
      ),
    );
}
