import { assert, property, string } from 'fast-check';
import { checkCron } from '#lib/kubernetes/cron';
import { heartbeatSchedule } from '#lib/linkerd/charts/heartbeat-schedule';

test('one name always gives one time of day', () => {
  expect(heartbeatSchedule('home').expressionString).toBe('26 3 * * *');
  expect(heartbeatSchedule('stable').expressionString).toBe('18 7 * * *');
});

test('any name gives a schedule that a CronJob takes', () => {
  void assert(
    property(string(), (name) => checkCron('heartbeat', heartbeatSchedule(name).expressionString).length === 0),
  );
});

test('the clusters of a fleet are spread over the day', () => {
  const schedules = Array.from({ length: 300 }, (_, index) => heartbeatSchedule(`cluster-${index}`).expressionString);
  expect(new Set(schedules).size).toBeGreaterThan(250);
});
