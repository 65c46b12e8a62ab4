import type { Value, Values } from '../../../../operator/api/kubernetes/values-merge';
import { checkValues } from '../../../../operator/src/config/plan/check-values';

const INSTALLED = { linkerdVersion: 'edge-26.8.3', proxy: { logLevel: 'warn', uid: 2102 } };
const problem = (wanted: Values | undefined, installed: Values = INSTALLED) => checkValues(wanted, installed);

function nested(levels: number): Values {
  let value: Values = {};
  for (let level = 1; level < levels; level += 1) value = { inner: value };
  return value;
}

test.each<[string, Values | undefined]>([
  ['none', undefined],
  ['some', { proxy: { logLevel: 'debug' } }],
  ['one that the chart does not know', { mine: true }],
  ['many', { tolerations: Array.from({ length: 4_000 }, () => ({})) }],
  ['another release, as after an upgrade of the installation', { linkerdVersion: 'edge-26.8.2' }],
])('values that can be in force: %s', (_what, values) => {
  expect(problem(values)).toBeUndefined();
});

const KEY = '-----BEGIN PRIVATE KEY-----\nMIIsecret\n-----END PRIVATE KEY-----';

test.each<[string, Values, string]>([
  ['of a type that the injector does not have', { clusterNetworks: 'abc' }, 'values.clusterNetworks'],
  ['which would remove what it needs', { proxy: { ports: [] as readonly Value[] } }, 'values.proxy.ports'],
  ['that end a text of its templates', { linkerdVersion: 'a"b' }, 'values.linkerdVersion'],
  ['too many', { tolerations: Array.from({ length: 5_001 }, () => ({})) }, 'more than 5000 values'],
  ['too deep', { nodeAffinity: nested(300) }, 'more than 200 levels'],
  ['so deep that a stack would not hold them', { nodeAffinity: nested(100_000) }, 'more than 200 levels'],
  ['with a text as long as a book', { proxy: { logLevel: ','.repeat(262_144) } }, 'more than 262144 characters'],
  ['with keys as long as a book', { podAnnotations: { ['k'.repeat(262_144)]: '' } }, 'more than 262144 characters'],
  ['with more certificates than anybody has', { identityTrustAnchorsPEM: 'x'.repeat(65_537) }, '65536 characters'],
  ['with a private key', { linkerdVersion: KEY }, 'spec.values.linkerdVersion holds a private key'],
])('values that cannot: %s', (_what, values, message) => {
  expect(problem(values)).toEqual({ reason: 'InvalidValues', message: expect.stringContaining(message) });
});

test('a private key is not repeated', () => {
  expect(problem({ linkerdVersion: KEY })?.message).not.toContain('MII');
});

test('what the installation is wrong about is not the fault of a LinkerdConfig', () => {
  expect(problem({ proxy: { logLevel: 'debug' } }, { ...INSTALLED, clusterNetworks: 'abc' })).toBeUndefined();
});
