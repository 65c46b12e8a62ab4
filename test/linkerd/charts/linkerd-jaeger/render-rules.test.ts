import type { Values } from '../../../../lib/kubernetes/values';
import { JAEGER_REFUSALS } from '../../../../lib/linkerd/charts/linkerd-jaeger/intended-differences';
import { chartValues, checkJaegerRender } from './fixture';

const problems = (values: Values) => checkJaegerRender(chartValues(values)).map(({ what }) => what);

test('usual values are fine', () => {
  expect(problems({})).toEqual([]);
});

test.each(['collector', 'jaeger', 'namespaceMetadata', 'namespaceMetadata.image', 'webhook', 'webhook.image'])(
  'templates look into %s',
  (path) => {
    const values = path.split('.').reduceRight<Values | null>((inside, key) => ({ [key]: inside }), null) as Values;
    expect(problems(values)).toEqual([`values.${path} is null, not a map`]);
  },
);

test('what is not there needs no image and no configuration', () => {
  expect(problems({ collector: { enabled: false, image: null, config: null } })).toEqual([]);
  expect(problems({ jaeger: { enabled: false, image: { version: '' } } })).toEqual([]);
  expect(problems({ collector: { config: null }, jaeger: { image: { version: '' } } })).toEqual([
    'values.collector.config is null',
    'values.jaeger.image.version is ""',
  ]);
});

test.each<[Values, string]>([
  [{ webhook: { injectCaFrom: '' } }, 'none of injectCaFrom, injectCaFromSecret and caBundle is set'],
  [{ webhook: { injectCaFromSecret: 'a/b' } }, 'values.webhook has injectCaFrom and injectCaFromSecret'],
  [{ webhook: { externalSecret: false } }, 'values.webhook.externalSecret is not true'],
  [{ linkerdNamespace: null }, 'values.linkerdNamespace is null'],
])('%j is refused', (values, what) => expect(problems(values)).toEqual([expect.stringContaining(what)]));

test.each(JAEGER_REFUSALS)('refused: $reason', ({ values }) => {
  expect(problems(values)).toHaveLength(1);
});
