import { all, each, fields, forbidden, has, invalid, listIn, object, own, required, tooLong } from './check';
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
      findings.refuse(
        invalid(last, 'the range starts at port, which must be a number', 'write a number that is not below port'),
        'endPort',
      );
    }),
  ),
  NetworkPolicyPeer: object((peer, findings) => {
    const set = ['ipBlock', 'namespaceSelector', 'podSelector'].filter((field) => has(peer, field));
    if (set.length === 1 || (set.length === 2 && !has(peer, 'ipBlock'))) return;
    findings.refuseWhole(
      set.length === 0
        ? required(
            'ipBlock, namespaceSelector or podSelector',
            'a peer is a network or selects pods',
            'add one of them',
          )
        : forbidden('the peer also selects pods by labels', 'write two peers'),
      ...(set.length === 0 ? [] : ['ipBlock']),
    );
  }),
  NetworkPolicySpec: fields({
    policyTypes: (value, findings) => {
      if (!Array.isArray(value) || value.length <= 2) return;
      findings.refuseWhole(tooLong(`${value.length} items`, '2 items', 'keep one of each'));
    },
  }),
  IPBlock: all(
    fields({ cidr: network, except: each(network) }),
    object((block, findings) => {
      const cidr = own(block, 'cidr');
      for (const [index, except] of listIn(block, 'except').entries()) {
        if (typeof cidr !== 'string' || typeof except !== 'string' || !isNetwork(cidr) || !isNetwork(except)) continue;
        if (isWithin(except, cidr)) continue;
        findings.refuse(invalid(except, `it is not in ${cidr}`, `write a network within ${cidr}`), 'except', index);
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
