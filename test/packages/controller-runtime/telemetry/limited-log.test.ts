import { limitedLog } from '#controller-runtime/telemetry/limited-log';
import { memoryLog } from '#test/support/controller-runtime/memory-log';

test('the log counts lines beyond its limit', () => {
  let now = 0;
  const { log, lines } = memoryLog();
  const limited = limitedLog(log, () => now);
  for (let time = 0; time < 1_000; time += 1) limited.error('failed', { time });
  expect(lines).toHaveLength(20);
  expect(lines.at(-1)).toMatchObject({ level: 'error', msg: 'failed', time: expect.anything() });
  now = 2_000;
  limited.warn('odd');
  limited.error('failed');
  limited.error('failed');
  expect(lines.slice(20)).toMatchObject([{ level: 'warn', msg: 'odd', omittedBefore: 980 }, { msg: 'failed' }]);
  expect(lines.at(-1)).not.toHaveProperty('omittedBefore');
});
