import { all, each, fields, has, listIn, object, own, REFUSES } from './check';
import type { RuleTable } from './rule-table';
import { isNetwork, network, port, portNumber } from './scalars';

/** Rules of NetworkPolicies. */
export const NETWORK_POLICY_RULES: RuleTable = {
  NetworkPolicyPort: all(
    fields({ port, endPort: portNumber }),
    object((value, findings) => {
      const first = own(value, 'port');
      const last = own(value, 'endPort');
      if (last === undefined || last === null || (typeof first === 'number' && Number(last) >= first)) return;
      findings.refuseValue(
        last,
        `${REFUSES}: it ends a range that begins with the number of port`,
        'write a number from port on',
        'endPort',
      );
    }),
  ),
  NetworkPolicyPeer: object((peer, findings) => {
    const set = ['ipBlock', 'namespaceSelector', 'podSelector'].filter((field) => has(peer, field));
    if (set.length === 1 || (set.length === 2 && !has(peer, 'ipBlock'))) return;
    findings.refuseWhole({
      code: 'not-exactly-one',
      says: set.length === 0 ? 'is empty' : `has ${set.join(' and ')}`,
      why: `${REFUSES}: a peer is a network, or pods by their labels`,
      fix: set.length === 0 ? 'add a selector or an ipBlock' : 'make two peers of it',
    });
  }),
  NetworkPolicySpec: fields({
    policyTypes: (value, findings) => {
      if (!Array.isArray(value) || value.length <= 2) return;
      findings.refuseWhole({
        code: 'too-many-items',
        says: `has ${value.length} items`,
        why: `${REFUSES}: there are two types`,
        fix: 'keep one of each',
      });
    },
  }),
  IPBlock: all(
    fields({ cidr: network, except: each(network) }),
    object((block, findings) => {
      const cidr = own(block, 'cidr');
      for (const [index, except] of listIn(block, 'except').entries()) {
        if (typeof cidr !== 'string' || typeof except !== 'string' || !isNetwork(cidr) || !isNetwork(except)) continue;
        if (isWithin(except, cidr)) continue;
        findings.refuseValue(
          except,
          `${REFUSES}: it is no part of ${cidr}`,
          `write a network within ${cidr}`,
          'except',
          index,
        );
      }
    }),
  ),
};

/** Tells whether a network is a part of another one, and smaller. */
function isWithin(inner: string, outer: string): boolean {
  const [innerAddress = '', innerBits = ''] = inner.split('/');
  const [outerAddress = '', outerBits = ''] = outer.split('/');
  if (innerAddress.includes(':') !== outerAddress.includes(':')) return false;
  if (Number(innerBits) <= Number(outerBits)) return false;
  return prefix(innerAddress, Number(outerBits)) === prefix(outerAddress, Number(outerBits));
}

function prefix(address: string, bits: number): string {
  return bitsOf(address).slice(0, bits);
}

function bitsOf(address: string): string {
  if (!address.includes(':'))
    return address
      .split('.')
      .map((part) => Number(part).toString(2).padStart(8, '0'))
      .join('');
  const [head = '', tail] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const after = tail === undefined ? [] : groups(tail);
  const zeros = new Array<string>(Math.max(0, 8 - groups(head).length - after.length)).fill('0');
  return [...groups(head), ...(tail === undefined ? [] : zeros), ...after]
    .map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0'))
    .join('');
}
