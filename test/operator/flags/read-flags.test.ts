import { flag } from '#operator/src/flags/flag';
import { helpOf, parseFlags, readFlags } from '#operator/src/flags/read-flags';

const FLAGS = {
  webhookPort: flag.port({ description: 'port', default: 9443 }),
  multus: flag.boolean({ description: 'attach', default: true }),
  leaderElect: flag.boolean({ description: 'elect', default: false }),
  managers: flag.list({ description: 'managers', default: ['helm', 'linkerd'] }),
  unit: flag.words({ description: 'units', placeholder: 'unit', default: [] }),
  waitTime: flag.durationMs({ description: 'time', default: 5_000 }),
  config: { ...flag.text({ description: 'file', default: undefined }), variable: false },
};
const DEFAULTS = {
  webhookPort: 9443,
  multus: true,
  leaderElect: false,
  managers: ['helm', 'linkerd'],
  unit: [],
  waitTime: 5_000,
  config: undefined,
};

function read(args: readonly string[], environment: Record<string, string> = {}) {
  return readFlags(parseFlags(args, FLAGS), FLAGS, environment);
}

const values = (args: readonly string[], environment?: Record<string, string>) => {
  const result = read(args, environment);
  return 'values' in result ? result.values : result;
};

test.each<[readonly string[], object]>([
  [['--webhook-port=1'], { webhookPort: 1 }],
  [['-webhook-port=1'], { webhookPort: 1 }],
  [['--webhook-port=1', '--webhook-port=2'], { webhookPort: 2 }],
  [['--multus=false'], { multus: false }],
  [['--leader-elect', 'true', '--no-multus'], { leaderElect: true, multus: false }],
  [['--managers', 'a', '--managers=b'], { managers: ['a', 'b'] }],
  [['--unit=a=b,c', '--unit=d=e'], { unit: ['a=b,c', 'd=e'] }],
])('the reader of flags reads %j as %j', (args, expected) =>
  expect(values(args)).toEqual({ ...DEFAULTS, ...expected }),
);

describe('an environment variable', () => {
  test.each<[Record<string, string>, object]>([
    [{ WEBHOOK_PORT: '1' }, { webhookPort: 1 }],
    [{ MULTUS: 'false' }, { multus: false }],
    [{ LEADER_ELECT: 'true' }, { leaderElect: true }],
    [{ MANAGERS: 'a,b' }, { managers: ['a', 'b'] }],
    [{ UNIT: 'a=b,c d=e' }, { unit: ['a=b,c', 'd=e'] }],
    [{ WEBHOOK_PORT: '' }, {}],
    [{ CONFIG: '/one:/other' }, {}],
  ])('is read as a flag: %j as %j', (environment, expected) =>
    expect(values([], environment)).toEqual({ ...DEFAULTS, ...expected }),
  );
});

test('the reader of flags reports all problems at once, with their places', () => {
  const args = ['--webhook-port=x', '--foo', '--leader-elect=maybe', 'bar', '--wait-time'];
  expect(read(args, { MANAGERS: ',' })).toEqual({
    problems: [
      "unknown argument '--foo'",
      "unknown argument 'bar'",
      "--webhook-port: expected a port (0 to 65535), got 'x'",
      "--leader-elect: expected true or false, got 'maybe'",
      "MANAGERS: expected comma-separated texts, none of them empty, got ','",
      '--wait-time: expected a value, got none',
    ],
  });
});

test('a flag that needs a value does not take the next flag as one', () => {
  expect(read(['--wait-time', '--no-multus', '--no-webhook-port', '--multus', '-x', '--', 'y'])).toEqual({
    problems: [
      "unknown argument '--no-webhook-port'",
      "unknown argument '-x'",
      "unknown argument 'y'",
      '--wait-time: expected a value, got none',
    ],
  });
});

test.each(['--help', '-h', '-help'])('%s requests the help at any position', (argument) => {
  expect(parseFlags(['--webhook-port=1', argument], FLAGS).help).toBe(true);
  expect(parseFlags(['--webhook-port=1'], FLAGS).help).toBe(false);
});

test('the help shows each flag with its variable and its default', () => {
  const help = helpOf(FLAGS);
  expect(help).toContain('port (WEBHOOK_PORT, default 9443)');
  expect(help).toContain('managers (MANAGERS, default helm,linkerd)');
  expect(help).toContain('time (WAIT_TIME, default 5000ms)');
  expect(help).toMatch(/ file$/m);
});

test('the help marks a required value', () => {
  const help = helpOf(FLAGS);
  expect(help).toContain('--webhook-port <port>');
  expect(help).toContain('--multus [boolean]');
  expect(help).not.toContain('--no-multus');
});
