import { PROXY_VALUE_FINDINGS } from './findings';
// Only a parser of addresses; it opens no connection.

import { isIP } from 'node:net';
import type { Problem } from '../kubernetes/problem';

const LONGEST_PREFIX: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

/** Creates the finding about one subnet. */
type Refuse = typeof PROXY_VALUE_FINDINGS.addressRefusedSkippedSubnet;

/** Checks that subnets are address blocks in CIDR notation. */
export function checkSubnets(
  field: string,
  subnets: readonly string[],
  refuse: (...found: Parameters<Refuse>) => Problem,
): readonly Problem[] {
  return subnets.flatMap((subnet, index) => {
    const place = `${field}[${index}]`;
    return isSubnet(subnet) ? [] : [refuse({ field: place, value: subnet }, { about: place })];
  });
}

/** Checks a list of subnets in a chart's values, separated by commas. */
export function checkSubnetList(field: string, list: string): readonly Problem[] {
  return list.split(',').flatMap((subnet, index) => {
    if (isSubnet(subnet)) return [];
    const found = { field: `${field}[${index}]`, value: subnet };
    return [PROXY_VALUE_FINDINGS.addressRefusedSkippedSubnets(found, { about: field })];
  });
}

function isSubnet(text: string): boolean {
  // Without a zone, which its readers do not support.
  const [, address, prefix] = /^([^/%]+)\/(0|[1-9]\d*)$/.exec(text) ?? [];
  if (address === undefined || prefix === undefined) return false;
  return Number(prefix) <= (LONGEST_PREFIX[isIP(address)] ?? -1);
}
