import { VIZ_DIFFERENCES, VIZ_FIXES, VIZ_REFUSALS } from '#lib/linkerd/charts/linkerd-viz/intended-differences';
import { chartValues, checkVizRender } from './fixture';

test('places are distinguished by the whole of their names', () => {
  for (const { object, path } of VIZ_DIFFERENCES) {
    expect(path).toMatch(/\$$/);
    expect(object === '.' || /^\^.+\$$/.test(object)).toBe(true);
  }
});

test.each(VIZ_REFUSALS)('refused: $reason', ({ values }) => {
  expect(checkVizRender(chartValues(values))).not.toEqual([]);
});

test.each(VIZ_FIXES)('rendered: $reason', ({ values }) => {
  expect(checkVizRender(chartValues(values))).toEqual([]);
});
