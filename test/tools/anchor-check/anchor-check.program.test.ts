import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { GUARDS } from '../../../operator/api/anchor/guards';

const ROOT = join(__dirname, '..', '..', '..');

/** The program by itself: within a test it would take several times as long. */
const { stdout, stderr, status } = spawnSync(
  process.execPath,
  ['tools/start/start.cjs', 'tools/anchor-check/main.ts', '--small', '--verbose'],
  { cwd: ROOT, encoding: 'utf8' },
);

/** Lines of a counterexample that somebody reads. */
const READABLE = 20;

test('no mesh of the small worlds breaks, each rotation ends, and all that must break does', () => {
  expect({ stderr, broken: stdout.match(/^(?:BROKEN|FINE).*/gm), status }).toEqual({
    stderr: '',
    broken: null,
    status: 0,
  });
  expect(stdout.match(/^ok .*/gm)?.length).toBeGreaterThan(10);
});

test('each guard is missed, in few lines', () => {
  const lines = new Map(
    [...stdout.matchAll(/^breaks +(\d+) lines {2}without "(.*)"/gm)].map(([, count, name]) => [name, count]),
  );
  expect(new Set(lines.keys())).toEqual(new Set(GUARDS));
  expect(Math.max(...[...lines.values()].map(Number))).toBeLessThan(READABLE);
});

test('orders that are known to fail do so in words', () => {
  const [, found = ''] = stdout.split('Must break:');
  const [orders] = found.split(/^breaks.* {2}without "/m);
  expect(orders?.trim()).toMatchSnapshot();
});
