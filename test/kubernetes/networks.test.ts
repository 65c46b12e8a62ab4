import { containsNetwork, isNetwork } from '../../lib/kubernetes/networks';

test.each([
  ['10.0.0.0/8', true],
  ['10.1.2.3', true],
  ['::/0', true],
  ['fd00::1', true],
  ['10.0.0.0/33', false],
  ['10.0.0/8', false],
  ['10.0.0.0/08', false],
  ['fe80::1%eth0', false],
  ['', false],
])('%s is a network: %p', (text, is) => {
  expect(isNetwork(text)).toBe(is);
});

test.each([
  ['10.0.0.0/8', '10.1.0.0/16', true],
  ['10.0.0.0/8', '10.0.0.0/8', true],
  ['10.1.0.0/16', '10.0.0.0/8', false],
  ['10.0.0.0/8', '11.0.0.0/16', false],
  ['0.0.0.0/0', '::/0', false],
  ['fd00::/8', 'fd12::1', true],
  ['10.0.0.0/8', 'x', undefined],
])('%s contains %s: %p', (outer, inner, is) => {
  expect(containsNetwork(outer, inner)).toBe(is);
});
