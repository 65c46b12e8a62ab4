import { createLogger, LOG_LEVELS, type LogLevel } from '#controller-runtime/telemetry/logger';

let lines: string[];
beforeEach(() => {
  lines = [];
});
const logger = (level?: LogLevel) =>
  createLogger({ level, write: (line) => lines.push(line), now: () => new Date('2026-01-01T00:00:00Z') });

test('the logger writes each line as one JSON object', () => {
  logger().with({ controller: 'multus' }).info('attached', { key: 'a/b', text: 'two\nlines' });
  expect(lines).toEqual([
    '{"time":"2026-01-01T00:00:00.000Z","level":"info","msg":"attached","controller":"multus","key":"a/b","text":"two\\nlines"}\n',
  ]);
});

test.each(LOG_LEVELS)(
  'the logger at level %s writes messages of this level and higher ones, and no others',
  (level) => {
    const log = logger(level);
    for (const each of LOG_LEVELS) log[each](each);
    expect(lines.map((line) => JSON.parse(line).level)).toEqual(LOG_LEVELS.slice(LOG_LEVELS.indexOf(level)));
  },
);

test('the logger writes a message even with fields that JSON cannot represent', () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  logger().info('still here', { cycle });
  logger().info('still here', { big: 1n });
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['still here', 'still here']);
});
