import type { Problem } from '#base/findings/problem';
import { grouped } from '#base/grouped';
import { INJECTION_FINDINGS } from './findings';

/** A port of a proxy, and the field that sets it. */
interface PortField {
  readonly field: string;
  readonly port: number;
}

/**
 * Reports ports of a proxy that are equal, because it can listen only once on each.
 *
 * @param isConcerned - of equal ports, one must satisfy it: the finding is about the first such one
 */
export function checkEqualPorts<P extends PortField>(
  ports: readonly P[],
  isConcerned: (port: P) => boolean = () => true,
): readonly Problem[] {
  return [...grouped(ports.map((one) => [`${one.port}`, one])).values()].flatMap((equal) => {
    const first = equal.find(isConcerned);
    if (equal.length < 2 || first === undefined) return [];
    const parameters = { fields: equal.map(({ field }) => field).join(' and '), port: first.port };
    return [INJECTION_FINDINGS.injectedValueRefusedPortsEqual(parameters, { about: first.field })];
  });
}
