import type { Value, Values } from '#base/values';
import { WEBHOOK_FINDINGS } from '#operator/api/webhooks/findings';
import { rejectionText } from '#operator/src/config/checks/rejection-text';
import { checkValues } from '#operator/src/config/plan/plan-config';

const INSTALLED = { linkerdVersion: 'edge-26.8.3', proxy: { logLevel: 'warn', uid: 2102 } };
const problem = (wanted: Values | undefined, installed: Values = INSTALLED) => checkValues(wanted, installed);

function nested(levels: number): Values {
  let value: Values = {};
  for (let level = 1; level < levels; level += 1) value = { inner: value };
  return value;
}

const TOO_DEEP = rejectionText([WEBHOOK_FINDINGS.valuesTooLargeLevels({ most: 200 })]);
const TOO_LONG = rejectionText([WEBHOOK_FINDINGS.valuesTooLargeText({ most: 262_144 })]);
const KEY = '-----BEGIN PRIVATE KEY-----\nMIIsecret\n-----END PRIVATE KEY-----';

test.each<[string, Values, string]>([
  ['of a wrong type', { clusterNetworks: 'abc' }, 'values.clusterNetworks'],
  ['that remove a required map', { proxy: { ports: [] as readonly Value[] } }, 'proxy.ports'],
  ['that end a string of its templates', { linkerdVersion: 'a"b' }, 'values.linkerdVersion'],
  [
    'with more than 5000 entries',
    { tolerations: Array.from({ length: 5_001 }, () => ({})) },
    rejectionText([WEBHOOK_FINDINGS.valuesTooLargeCount({ most: 5_000 })]),
  ],
  ['with 300 nested levels', { nodeAffinity: nested(300) }, TOO_DEEP],
  ['with 100000 nested levels', { nodeAffinity: nested(100_000) }, TOO_DEEP],
  ['with a string of 256 KiB', { proxy: { logLevel: ','.repeat(262_144) } }, TOO_LONG],
  ['with a key of 256 KiB', { podAnnotations: { ['k'.repeat(262_144)]: '' } }, TOO_LONG],
  ['with too many trust anchors', { identityTrustAnchorsPEM: 'x'.repeat(65_537) }, '65536'],
  ['with a private key', { linkerdVersion: KEY }, 'spec.values.linkerdVersion'],
])('the operator refuses values %s', (_what, values, message) => {
  expect(problem(values)).toEqual({ reason: 'InvalidValues', message: expect.stringContaining(message) });
});

test('the refusal does not repeat a private key', () => {
  expect(problem({ linkerdVersion: KEY })?.message).not.toContain('MII');
});
