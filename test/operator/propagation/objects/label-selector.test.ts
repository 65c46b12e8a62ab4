import { type LabelSelector, selects } from '../../../../operator/src/propagation/objects/label-selector';

const LABELS = { app: 'web', tier: 'front' };
const expression = (key: string, operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist', values?: string[]) => ({
  matchExpressions: [{ key, operator, values }],
});

test.each<[LabelSelector | undefined, boolean]>([
  [undefined, false],
  [{}, true],
  [{ matchLabels: { app: 'web' } }, true],
  [{ matchLabels: { app: 'web', tier: 'back' } }, false],
  [expression('app', 'In', ['web', 'db']), true],
  [expression('app', 'In', ['db']), false],
  [expression('none', 'In', ['db']), false],
  [expression('app', 'NotIn', ['web']), false],
  [expression('app', 'NotIn', ['db']), true],
  [expression('none', 'NotIn', ['db']), true],
  [expression('app', 'Exists'), true],
  [expression('none', 'Exists'), false],
  [expression('app', 'DoesNotExist'), false],
  [expression('none', 'DoesNotExist'), true],
  [{ matchLabels: { app: 'web' }, ...expression('tier', 'In', ['back']) }, false],
  // What every object inherits is no label.
  [expression('constructor', 'Exists'), false],
  [expression('constructor', 'DoesNotExist'), true],
  [expression('toString', 'NotIn', ['x']), true],
])('%j selects: %p', (selector, expected) => {
  expect(selects(selector, LABELS)).toBe(expected);
});

test('labels with names of what every object has are asked about as all others', () => {
  for (const key of ['constructor', 'toString', 'hasOwnProperty']) {
    expect(selects({ matchExpressions: [{ key, operator: 'Exists' }] }, {})).toBe(false);
    expect(selects({ matchExpressions: [{ key, operator: 'DoesNotExist' }] }, {})).toBe(true);
    expect(selects({ matchExpressions: [{ key, operator: 'Exists' }] }, { [key]: 'x' })).toBe(true);
  }
});
