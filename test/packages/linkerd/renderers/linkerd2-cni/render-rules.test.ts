import type { Values } from '#base/values';
import { checkCniRender } from '#linkerd/renderers/linkerd2-cni/cni';
import { CNI_REFUSALS } from '#linkerd/renderers/linkerd2-cni/intended-differences';
import { facts } from '#test/support/findings';
import { chartValues, NEWEST } from './fixture';

const problems = (values: Values) => checkCniRender(chartValues(values), NEWEST).map(facts);

test.each(['image', 'repairController'])('checkCniRender requires that the value %s is a map', (key) => {
  expect(problems({ [key]: null })).toMatchObject([
    { finding: 'injected-value-missing/map-of-chart', path: key, value: 'null' },
  ]);
});

test.each<Values>([
  { iptablesMode: null },
  { proxyGID: null },
  { image: { version: null } },
  { image: { version: '' } },
])('checkCniRender reports %j, which would make invalid objects', (values) => expect(problems(values)).toHaveLength(1));

test('checkCniRender requires true or false for disableIPv6', () => {
  expect(problems({ disableIPv6: null })).toMatchObject([{ finding: 'chart-value-refused/ipv6', value: 'null' }]);
  expect(problems({ disableIPv6: false })).toEqual([]);
});

test.each(CNI_REFUSALS)('checkCniRender refuses values on purpose: $reason', ({ values }) => {
  expect(problems(values)).toHaveLength(1);
});

test('checkCniRender finds a private key at any depth', () => {
  const container = { name: 'a', env: [{ name: 'B', value: '-----BEGIN PRIVATE KEY-----' }] };
  expect(problems({ extraInitContainers: [container] })).toMatchObject([
    { finding: 'private-key-found/values', path: 'values.extraInitContainers[0].env[0].value' },
  ]);
});
