import stableDefaults from '#imports/charts/linkerd-control-plane/stable-2.14.10.defaults.json';
import { CONTROL_PLANE } from '#linkerd/releases/groups/control-plane';
import {
  CONTROL_PLANE_DIFFERENCES,
  CONTROL_PLANE_REFUSALS,
} from '#linkerd/renderers/linkerd-control-plane/intended-differences';
import { objectKey } from '#tools/conformance/canonical';
import { renderDifferences } from '#tools/conformance/differences';
import { chartValues, checkControlPlaneRender, controlPlaneOf, render, renderControlPlane } from './fixture';

test('comparisons ignore the schedule of the heartbeat’s CronJob, but not the value in linkerd-config', () => {
  const ofChart = new Map(render({ heartbeatSchedule: '1 2 * * *' }).map((object) => [objectKey(object), object]));
  const ours = renderControlPlane(chartValues(), { namespace: 'linkerd', clusterName: 'home' });
  const left = renderDifferences(ofChart, ours, CONTROL_PLANE_DIFFERENCES).map(({ object, path }) => object + path);
  expect(left).toEqual(['v1/ConfigMap/linkerd/linkerd-config/data/values/heartbeatSchedule']);
});

test('each pattern of the intended differences matches the whole name of an object and the end of a path', () => {
  for (const { object, path } of CONTROL_PLANE_DIFFERENCES) {
    expect(path).toMatch(/\$$/);
    expect(object === '.' || /^\^.+\$$/.test(object)).toBe(true);
  }
});

test.each(CONTROL_PLANE_REFUSALS)(
  'checkControlPlaneRender refuses values on purpose: $reason',
  ({ values, reason }) => {
    expect(checkControlPlaneRender(chartValues(values))).toHaveLength(1);
    const { templates } = CONTROL_PLANE['stable-2.14.10'];
    const ofStable = controlPlaneOf(templates).check(chartValues(values, stableDefaults));
    expect(ofStable).toHaveLength(reason.includes('does not apply to 2.14') ? 0 : 1);
  },
);
