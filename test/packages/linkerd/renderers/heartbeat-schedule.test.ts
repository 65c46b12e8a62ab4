import { assert, property, string } from 'fast-check';
import { checkCron } from '#kubernetes/cron';
import { heartbeatSchedule } from '#linkerd/renderers/heartbeat-schedule';

test('heartbeatSchedule returns the same time of day for the same cluster name', () => {
  expect(heartbeatSchedule('home').expressionString).toBe('26 3 * * *');
  expect(heartbeatSchedule('stable').expressionString).toBe('18 7 * * *');
});

test('heartbeatSchedule returns a schedule that CronJobs accept for every cluster name', () => {
  void assert(
    property(string(), (name) => checkCron('heartbeat', heartbeatSchedule(name).expressionString).length === 0),
  );
});

test('heartbeatSchedule spreads the clusters of a fleet over the day', () => {
  const schedules = Array.from({ length: 300 }, (_, index) => heartbeatSchedule(`cluster-${index}`).expressionString);
  expect(new Set(schedules).size).toBeGreaterThan(250);
});
