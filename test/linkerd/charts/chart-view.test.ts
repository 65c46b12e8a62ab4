import { chartView, withoutNulls } from '#lib/linkerd/charts/chart-view';

describe('withoutNulls', () => {
  test('drops what null removes, at any depth', () => {
    expect(withoutNulls({ a: null, b: { c: null, d: 1 }, e: undefined })).toEqual({ b: { d: 1 } });
  });

  test('leaves lists alone, which Helm replaces as a whole', () => {
    expect(withoutNulls({ list: [null, { a: null }] })).toEqual({ list: [null, { a: null }] });
  });
});

describe('chartView', () => {
  const defaults = { proxy: { image: { name: 'x' }, labels: { a: 'b' } }, list: [], text: '' };

  test('has the maps of the defaults, but not what is in them', () => {
    expect(chartView({ proxy: 'gone' }, defaults, new Set())).toEqual({ proxy: { image: {}, labels: {} } });
  });

  test('leaves maps missing that are printed as a whole', () => {
    expect(chartView({}, defaults, new Set(['labels']))).toEqual({ proxy: { image: {} } });
  });

  test('keeps what the defaults do not know', () => {
    expect(chartView({ other: 1 }, defaults, new Set(['proxy']))).toEqual({ other: 1 });
  });
});
