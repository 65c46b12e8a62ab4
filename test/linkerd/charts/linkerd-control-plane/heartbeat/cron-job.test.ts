import { chartValues, containerOf, find, render, renderControlPlane } from '../fixture';

const schedule = (clusterName?: string) => {
  const objects = renderControlPlane(chartValues(), { namespace: 'linkerd', clusterName });
  return find(objects, 'CronJob', 'linkerd-heartbeat')?.spec as { schedule: string };
};

test('the time of day follows from the name of the cluster', () => {
  expect(schedule('home')).toEqual(schedule('home'));
  expect(schedule('home').schedule).not.toBe(schedule('away').schedule);
  expect(schedule().schedule).toMatch(/^\d+ \d+ \* \* \*$/);
});

test('values say when, and whom to ask', () => {
  const objects = render({ heartbeatSchedule: '17 3 * * *' });
  expect(find(objects, 'CronJob', 'linkerd-heartbeat')).toMatchObject({ spec: { schedule: '17 3 * * *' } });
  const { args } = containerOf({ prometheusUrl: 'http://metrics' }, 'heartbeat', 'heartbeat');
  expect(args).toContain('-prometheus-url=http://metrics');
});
