import { VIZ_DIFFERENCES, VIZ_FIXES, VIZ_REFUSALS } from '#linkerd/renderers/linkerd-viz/intended-differences';
import { chartValues, checkVizRender } from './fixture';

test('each pattern of the intended differences matches the whole name of an object and the end of a path', () => {
  for (const { object, path } of VIZ_DIFFERENCES) {
    expect(path).toMatch(/\$$/);
    expect(object === '.' || /^\^.+\$$/.test(object)).toBe(true);
  }
});

test.each(VIZ_REFUSALS)('checkVizRender refuses values on purpose: $reason', ({ values }) => {
  expect(checkVizRender(chartValues(values))).not.toEqual([]);
});

test.each(VIZ_FIXES)('checkVizRender accepts values on which the chart fails: $reason', ({ values }) => {
  expect(checkVizRender(chartValues(values))).toEqual([]);
});
