import { stringifyYaml } from '#base/yaml-writer';
import { CONTROL_PLANE } from '#linkerd/releases/groups/control-plane';
import { SCHEDULE } from '#linkerd/renderers/linkerd-control-plane/cluster-schedule';
import { chartValues, controlPlaneOf } from '../fixture';

const CONTEXT = { namespace: 'linkerd' };

describe.each([
  ['the newest release', CONTROL_PLANE['edge-26.8.3'].templates],
  ['2.14', CONTROL_PLANE['stable-2.14.10'].templates],
])('SCHEDULE.vary with the templates of %s', (_, templates) => {
  const { render } = controlPlaneOf(templates);

  test.each([
    [{}, ['linkerd-config', 'linkerd-proxy-injector', 'linkerd-heartbeat']],
    [{ disableHeartBeat: true }, ['linkerd-config', 'linkerd-proxy-injector']],
    [{ podAnnotations: { 'checksum/config': 'own' } }, ['linkerd-config', 'linkerd-heartbeat']],
  ])('returns the same objects as a render with the schedule, for %j', (values, changed) => {
    const own = { heartbeatSchedule: '48 16 * * *' };
    const example = render(chartValues({ ...values, ...SCHEDULE.example }), CONTEXT);
    const varied = SCHEDULE.vary(example, own, CONTEXT);
    expect(varied.map(stringifyYaml)).toEqual(render(chartValues({ ...values, ...own }), CONTEXT).map(stringifyYaml));
    expect(varied.filter((object) => !example.includes(object)).map(({ metadata }) => metadata.name)).toEqual(changed);
  });
});
