import { chartView, withoutNulls } from '#linkerd/renderers/chart-view';

describe('withoutNulls', () => {
  test('drops keys whose value is null, at any depth', () => {
    expect(withoutNulls({ a: null, b: { c: null, d: 1 }, e: undefined })).toEqual({ b: { d: 1 } });
  });

  test('keeps the nulls in lists, which Helm replaces as a whole', () => {
    expect(withoutNulls({ list: [null, { a: null }] })).toEqual({ list: [null, { a: null }] });
  });
});

describe('chartView', () => {
  const defaults = { proxy: { image: { name: 'x' }, labels: { a: 'b' } }, list: [], text: '' };

  test('adds the maps of the defaults without values that are not maps', () => {
    expect(chartView({ proxy: 'gone' }, defaults, new Set())).toEqual({ proxy: { image: {}, labels: {} } });
  });

  test('does not add maps that the chart prints as a whole', () => {
    expect(chartView({}, defaults, new Set(['labels']))).toEqual({ proxy: { image: {} } });
  });

  test('keeps keys that the defaults do not have', () => {
    expect(chartView({ other: 1 }, defaults, new Set(['proxy']))).toEqual({ other: 1 });
  });
});
