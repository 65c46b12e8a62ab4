import { LabelIndex } from '#base/label-index';
import { matchesSelector } from '#base/label-selector';

const VALUES = ['web', 'db', undefined];
const LABELS = VALUES.flatMap((app) =>
  VALUES.map((tier) => ({ ...(app !== undefined && { app }), ...(tier !== undefined && { tier }) })),
);
const PODS = ['shop', 'blog'].flatMap((namespace) => LABELS.map((labels) => ({ namespace, labels })));

const SELECTORS: readonly unknown[] = [
  undefined,
  null,
  {},
  { matchLabels: { app: 'web' } },
  { matchLabels: { app: 'web', tier: 'db' } },
  { matchLabels: { constructor: 'x' } },
  { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['db'] }] },
  { matchLabels: { tier: 'db' }, matchExpressions: [{ key: 'app', operator: 'Exists' }] },
];

test.each(SELECTORS.map((selector) => ({ selector })))(
  'the index finds the same objects as a scan for $selector',
  ({ selector }) => {
    const expected = PODS.filter(({ namespace, labels }) => namespace === 'shop' && matchesSelector(selector, labels));
    expect(new LabelIndex(PODS).select('shop', selector)).toEqual(expected);
  },
);

test("the index reads only objects with one of the selector's labels", () => {
  let reads = 0;
  const objects = Array.from({ length: 1000 }, (_, index) => ({
    namespace: 'shop',
    get labels(): Readonly<Record<string, string>> {
      reads += 1;
      return { part: 'shop', app: `${index}` };
    },
  }));
  const index = new LabelIndex(objects);
  reads = 0;
  expect(index.select('shop', { matchLabels: { part: 'shop', app: '7' } })).toEqual([objects[7]]);
  // One read for the index, and one for the comparison.
  expect(reads).toBeLessThan(5);
});
