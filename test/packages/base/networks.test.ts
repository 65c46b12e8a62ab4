import { containsNetwork, isNetwork } from '#base/networks';

test.each([
  ['10.0.0.0/8', true, true, true],
  ['::/0', true, true, true],
  ['::ffff:10.0.0.0/104', true, true, true],
  ['10.1.2.3', false, true, false],
  ['fd00::1', false, true, false],
  ['10.0.0.0/08', false, false, true],
  ['010.000.0.00/8', false, false, true],
  ['10.0.0.0/33', false, false, false],
  ['fd00::/129', false, false, false],
  ['10.0.0/8', false, false, false],
  ['fe80::1%eth0', false, false, false],
  ['fe80::1%eth0/64', false, false, false],
  ['10.0.0.0/', false, false, false],
  ['', false, false, false],
])(
  'whether %s is a network: %p; a network or an address: %p; a network with leading zeros: %p',
  (text, plain, bare, zeros) => {
    expect(isNetwork(text)).toBe(plain);
    expect(isNetwork(text, { bare: true })).toBe(bare);
    expect(isNetwork(text, { zeros: true })).toBe(zeros);
  },
);

test.each([
  ['10.0.0.0/8', '10.1.0.0/16', true],
  ['10.0.0.0/8', '10.0.0.0/8', true],
  ['10.1.0.0/16', '10.0.0.0/8', false],
  ['10.0.0.0/8', '11.0.0.0/16', false],
  ['0.0.0.0/0', '::/0', false],
  ['fd00::/8', 'fd12::1', true],
  ['::ffff:10.0.0.0/104', '::ffff:10.1.0.0/112', true],
  ['::ffff:10.0.0.0/104', '::ffff:11.0.0.0/112', false],
  ['10.0.0.0/8', 'x', undefined],
])('whether the network %s contains %s: %p', (outer, inner, is) => {
  expect(containsNetwork(outer, inner, { bare: true })).toBe(is);
});

test('the reader of networks ignores leading zeros', () => {
  expect(containsNetwork('010.0.0.0/08', '10.01.0.0/16', { zeros: true })).toBe(true);
});
