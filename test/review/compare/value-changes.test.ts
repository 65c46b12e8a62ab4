import { valueChanges } from '#lib/review/compare/value-changes';

const KEPT = { host: 'b', port: 2, path: '/' };

test('an item of a list is reported as edited if it keeps most of its members, and otherwise as replaced with its list', () => {
  const before = [{ host: 'a', port: 1, path: '/' }, KEPT];
  const edited = [{ host: 'a', port: 9, path: '/' }, KEPT];
  const replaced = [{ host: 'z', port: 9, path: '/' }, KEPT];
  expect(valueChanges(before, edited)).toEqual([{ op: 'changed', path: [0, 'port'], before: 1, after: 9 }]);
  expect(valueChanges(before, replaced)).toEqual([{ op: 'changed', path: [], before, after: replaced }]);
});
