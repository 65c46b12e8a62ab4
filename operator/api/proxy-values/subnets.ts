// Only a parser of addresses; it opens no connection.

import { isIP } from 'node:net';
import type { Problem } from '../kubernetes/problem';
import { violationOf } from '../kubernetes/violation';

const LONGEST_PREFIX: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

const NO_INIT =
  'It is no subnet in CIDR notation: the init container that redirects the traffic of the pod fails, and the pod never starts';

/**
 * Checks that subnets are address blocks in CIDR notation.
 * @param why what comes of it
 */
export function checkSubnets(field: string, subnets: readonly string[], why: string = NO_INIT): readonly Problem[] {
  return subnets.flatMap((subnet, index) =>
    isSubnet(subnet)
      ? []
      : [
          {
            code: 'subnet-refused',
            violates: violationOf('form', subnet),
            about: `${field}[${index}]`,
            what: `${field}[${index}] is "${subnet}"`,
            why,
            fix: 'write an address, a slash and the length of the prefix, "10.0.0.0/8" for instance',
          },
        ],
  );
}

/** Checks a list of subnets in a chart's values, separated by commas. */
export function checkSubnetList(field: string, list: string): readonly Problem[] {
  const wrong = list.split(',').filter((subnet) => !isSubnet(subnet));
  if (wrong.length === 0) return [];
  return [
    {
      code: 'subnet-refused',
      violates: violationOf('form', list),
      about: field,
      what: `${field} is "${list}", in which "${wrong.join('", "')}" is no subnet`,
      why: 'They are read for each pod that is meshed, or by it: none would start any more',
      fix: 'write subnets in CIDR notation with commas between them, "10.0.0.0/8,fd00::/8" for instance',
    },
  ];
}

function isSubnet(text: string): boolean {
  // Without a zone: those who read it know none.
  const [, address, prefix] = /^([^/%]+)\/(0|[1-9]\d*)$/.exec(text) ?? [];
  if (address === undefined || prefix === undefined) return false;
  return Number(prefix) <= (LONGEST_PREFIX[isIP(address)] ?? -1);
}
