import { valueReport } from '../../../tools/release/value-report';

test('values are listed by what happened to them', () => {
  const before = { a: { gone: 1, changed: 'x', same: [1] }, nothing: null };
  const after = { a: { changed: null, same: [1], added: { deep: true } }, nothing: null };
  expect(valueReport(before, after)).toEqual([
    'gone: a.gone (was 1)',
    'changed: a.changed from "x" to null',
    'added: a.added = {"deep":true}',
  ]);
});

test('equal values have no lines', () => {
  expect(valueReport({ a: { b: [1] } }, { a: { b: [1] } })).toEqual([]);
});
