import type { Problem } from '#base/findings/problem';
import { isNetwork } from '#base/networks';
import { PROXY_VALUE_FINDINGS } from './findings';

type Refuse = typeof PROXY_VALUE_FINDINGS.addressRefusedSkippedSubnet;

/** Checks that subnets are address blocks in CIDR notation. */
export function checkSubnets(
  field: string,
  subnets: readonly string[],
  refuse: (...found: Parameters<Refuse>) => Problem,
): readonly Problem[] {
  return subnets.flatMap((subnet, index) => {
    const place = `${field}[${index}]`;
    return isNetwork(subnet) ? [] : [refuse({ field: place, value: subnet }, { about: place })];
  });
}

/** Checks a list of subnets in a chart's values, separated by commas. */
export function checkSubnetList(field: string, list: string): readonly Problem[] {
  return list.split(',').flatMap((subnet, index) => {
    if (isNetwork(subnet)) return [];
    const found = { field: `${field}[${index}]`, value: subnet };
    return [PROXY_VALUE_FINDINGS.addressRefusedSkippedSubnets(found, { about: field })];
  });
}
