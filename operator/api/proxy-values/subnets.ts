import { PROXY_VALUE_FINDINGS } from './findings';
// Only a parser of addresses; it opens no connection.

import { isIP } from 'node:net';
import type { Problem } from '../kubernetes/problem';

const LONGEST_PREFIX: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

const NO_INIT = 'the init container that redirects the traffic of the pod fails, and the pod never starts';

/**
 * Checks that subnets are address blocks in CIDR notation.
 * @param why the consequence
 */
export function checkSubnets(field: string, subnets: readonly string[], why: string = NO_INIT): readonly Problem[] {
  return subnets.flatMap((subnet, index) =>
    isSubnet(subnet)
      ? []
      : [
          PROXY_VALUE_FINDINGS.addressRefusedSubnet(
            { field: `${field}[${index}]`, value: subnet, consequence: why },
            { about: `${field}[${index}]` },
          ),
        ],
  );
}

/** Checks a list of subnets in a chart's values, separated by commas. */
export function checkSubnetList(field: string, list: string): readonly Problem[] {
  const consequence = 'it is read for each pod that is meshed, and none would start';
  return list.split(',').flatMap((subnet, index) => {
    if (isSubnet(subnet)) return [];
    const parameters = { field: `${field}[${index}]`, value: subnet, consequence };
    return [PROXY_VALUE_FINDINGS.addressRefusedSubnet(parameters, { about: field })];
  });
}

function isSubnet(text: string): boolean {
  // Without a zone, which its readers do not support.
  const [, address, prefix] = /^([^/%]+)\/(0|[1-9]\d*)$/.exec(text) ?? [];
  if (address === undefined || prefix === undefined) return false;
  return Number(prefix) <= (LONGEST_PREFIX[isIP(address)] ?? -1);
}
