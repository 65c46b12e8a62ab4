import { runOperatorProgram } from '../support/operator/operator-process';

test.each([
  [['--help'], 'Commands:'],
  [['run', '--help'], '--webhook-cert-dir <text>'],
  [['rotate', '--help'], '--unit <'],
  [['exchange', '--help'], '--member-kubeconfig <text>'],
])('the program prints its help for %j', async (args, text) => {
  const { code, stdout, stderr } = await runOperatorProgram({ args });
  expect(stdout).toContain(text);
  expect([code, stderr]).toEqual([0, '']);
});

test('the program reports all problems of a command line at once', async () => {
  const args = ['run', '--webhook-port=x', '-cni-namespace=Upper', '--no-such-flag'];
  const { code, stdout, stderr } = await runOperatorProgram({ args, env: { METRICS_PORT: 'tcp://10.0.0.1:80' } });
  expect(stderr).toBe(
    [
      'run:',
      "  unknown argument '--no-such-flag'",
      "  --webhook-port: expected a port (0 to 65535), got 'x'",
      "  METRICS_PORT: expected a port (0 to 65535), got 'tcp://10.0.0.1:80'",
      "  --cni-namespace: expected the name of a namespace, got 'Upper'",
      '',
    ].join('\n'),
  );
  expect([code, stdout]).toEqual([2, '']);
});

test('the program refuses flags that exclude each other', async () => {
  const { code, stderr } = await runOperatorProgram({ args: ['run', '--metrics-port=8081'] });
  expect(stderr).toContain('--webhook-cert-dir: needed for the webhooks');
  expect(stderr).toContain('--metrics-port, --health-port: the same port, 8081');
  expect(code).toBe(2);
});

test.each([[['walk']], [[]]])('the program refuses the command %j', async (args) => {
  const { code, stdout } = await runOperatorProgram({ args });
  expect([code, stdout]).toEqual([2, '']);
});

test('the program reports a failure by a log line and an exit code', async () => {
  const args = ['run', '--no-enable-webhooks', '--kubeconfig=/no/such/file', '--health-port=0', '--metrics-port=0'];
  const { code, stderr } = await runOperatorProgram({ args });
  expect(JSON.parse(stderr)).toMatchObject({
    level: 'error',
    msg: 'run failed',
    error: expect.stringContaining('ENOENT'),
  });
  expect(code).toBe(1);
});
