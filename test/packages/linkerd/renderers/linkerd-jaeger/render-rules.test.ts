import type { Values } from '#base/values';
import { JAEGER_REFUSALS } from '#linkerd/renderers/linkerd-jaeger/intended-differences';
import { facts } from '#test/support/findings';
import { chartValues, checkJaegerRender } from './fixture';

const problems = (values: Values) => checkJaegerRender(chartValues(values)).map(facts);

test.each(['collector', 'jaeger', 'namespaceMetadata', 'namespaceMetadata.image', 'webhook', 'webhook.image'])(
  'checkJaegerRender requires that the value %s is a map',
  (path) => {
    const values = path.split('.').reduceRight<Values | null>((inside, key) => ({ [key]: inside }), null) as Values;
    expect(problems(values)).toMatchObject([{ finding: 'injected-value-missing/map-of-chart', path, value: 'null' }]);
  },
);

test('checkJaegerRender requires images and configuration only of enabled components', () => {
  expect(problems({ collector: { enabled: false, image: null, config: null } })).toEqual([]);
  expect(problems({ jaeger: { enabled: false, image: { version: '' } } })).toEqual([]);
  expect(problems({ collector: { config: null }, jaeger: { image: { version: '' } } })).toMatchObject([
    { finding: 'injected-value-missing/value', path: 'collector.config', value: 'null' },
    { finding: 'chart-value-missing/image-version', path: 'jaeger.image.version', value: '""' },
  ]);
});

test.each<[Values, object]>([
  [{ webhook: { injectCaFrom: '' } }, { finding: 'ca-source-ambiguous/none' }],
  [
    { webhook: { injectCaFromSecret: 'a/b' } },
    { finding: 'ca-source-ambiguous/several', key: 'webhook', sources: 'injectCaFrom and injectCaFromSecret' },
  ],
  [{ webhook: { externalSecret: false } }, { finding: 'key-made-by-chart/webhook', key: 'webhook' }],
  [{ linkerdNamespace: null }, { finding: 'chart-value-missing/control-plane-namespace', value: 'null' }],
])('checkJaegerRender refuses %j', (values, what) => expect(problems(values)).toMatchObject([what]));

test.each(JAEGER_REFUSALS)('checkJaegerRender refuses values on purpose: $reason', ({ values }) => {
  expect(problems(values)).toHaveLength(1);
});
