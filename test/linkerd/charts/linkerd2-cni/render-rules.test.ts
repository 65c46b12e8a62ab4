import type { Values } from '../../../../lib/kubernetes/values';
import { CNI_REFUSALS } from '../../../../lib/linkerd/charts/linkerd2-cni/intended-differences';
import { checkCniRender } from '../../../../lib/linkerd/charts/linkerd2-cni/render-rules';
import { chartValues, NEWEST } from './fixture';

const problems = (values: Values) => checkCniRender(chartValues(values), NEWEST).map(({ what }) => what);

test('usual values are fine', () => {
  expect(problems({})).toEqual([]);
});

test.each(['image', 'repairController'])('templates look into %s', (key) => {
  expect(problems({ [key]: null })).toEqual([`values.${key} is null, not a map`]);
});

test.each<Values>([
  { iptablesMode: null },
  { proxyGID: null },
  { image: { version: null } },
  { image: { version: '' } },
])('%j breaks what is printed', (values) => expect(problems(values)).toHaveLength(1));

test('IPv6 is redirected or not', () => {
  expect(problems({ disableIPv6: null })).toEqual(['values.disableIPv6 is null, neither true nor false']);
  expect(problems({ disableIPv6: false })).toEqual([]);
});

test.each(CNI_REFUSALS)('refused: $reason', ({ values }) => {
  expect(problems(values)).toHaveLength(1);
});

test('a private key is found wherever it is', () => {
  const container = { name: 'a', env: [{ name: 'B', value: '-----BEGIN PRIVATE KEY-----' }] };
  expect(problems({ extraInitContainers: [container] })).toEqual([
    'values.extraInitContainers[0].env[0].value holds a private key',
  ]);
});
