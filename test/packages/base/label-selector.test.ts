import { matchesSelector } from '#base/label-selector';

const LABELS = { app: 'web', tier: 'front' };

test.each([
  ['no selector', undefined, false],
  ['null', null, false],
  ['an empty selector', {}, true],
  ['equal labels', { matchLabels: { app: 'web' } }, true],
  ['another value', { matchLabels: { app: 'db' } }, false],
  ['one unequal label', { matchLabels: { app: 'web', tier: 'back' } }, false],
  ['In', { matchExpressions: [{ key: 'app', operator: 'In', values: ['db', 'web'] }] }, true],
  ['In without the value', { matchExpressions: [{ key: 'app', operator: 'In', values: ['db'] }] }, false],
  ['In without the label', { matchExpressions: [{ key: 'x', operator: 'In', values: ['web'] }] }, false],
  ['NotIn', { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['db'] }] }, true],
  ['NotIn with the value', { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['web'] }] }, false],
  ['NotIn without the label', { matchExpressions: [{ key: 'x', operator: 'NotIn', values: ['web'] }] }, true],
  ['Exists', { matchExpressions: [{ key: 'app', operator: 'Exists' }] }, true],
  ['Exists without the label', { matchExpressions: [{ key: 'x', operator: 'Exists' }] }, false],
  ['DoesNotExist', { matchExpressions: [{ key: 'x', operator: 'DoesNotExist' }] }, true],
  ['DoesNotExist with the label', { matchExpressions: [{ key: 'app', operator: 'DoesNotExist' }] }, false],
  ['a malformed expression', { matchExpressions: [null] }, false],
  ['an unknown operator', { matchExpressions: [{ key: 'app', operator: 'Like' }] }, false],
  [
    'one false expression',
    { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'x', operator: 'Exists' }] },
    false,
  ],
])('the label matcher handles %s: %j -> %p', (_, selector, expected) =>
  expect(matchesSelector(selector, LABELS)).toBe(expected),
);

test.each([undefined, null])('the selector %p matches everything in a field that defines it so', (selector) => {
  expect(matchesSelector(selector, LABELS, 'everything')).toBe(true);
  expect(matchesSelector(selector, LABELS, 'nothing')).toBe(false);
});

test.each(['constructor', 'toString', 'hasOwnProperty'])(
  'a selector does not treat an inherited property of JavaScript as a label: %s',
  (key) => {
    expect(matchesSelector({ matchExpressions: [{ key, operator: 'Exists' }] })).toBe(false);
    expect(matchesSelector({ matchExpressions: [{ key, operator: 'DoesNotExist' }] })).toBe(true);
    expect(matchesSelector({ matchExpressions: [{ key, operator: 'NotIn', values: ['x'] }] })).toBe(true);
    expect(matchesSelector({ matchExpressions: [{ key, operator: 'Exists' }] }, { [key]: 'x' })).toBe(true);
  },
);
