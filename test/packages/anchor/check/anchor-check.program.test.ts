import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { GUARDS } from '#anchor/check/guards';

const ROOT = join(__dirname, '..', '..', '..', '..');

/** The program in a separate process: within Jest it takes several times as long. */
const { stdout, stderr, status } = spawnSync(
  process.execPath,
  ['tools/start/start.cjs', 'packages/anchor/check/main.ts', '--small', '--verbose'],
  { cwd: ROOT, encoding: 'utf8' },
);

/** The longest counterexample that a reader can follow, in lines. */
const READABLE = 20;

test('the checker finds no failure in small worlds, the end of each rotation, and each planted failure', () => {
  expect({ stderr, broken: stdout.match(/^(?:BROKEN|FINE).*/gm), status }).toEqual({
    stderr: '',
    broken: null,
    status: 0,
  });
  expect(stdout.match(/^ok .*/gm)?.length).toBeGreaterThan(10);
});

test('the report describes each world, and counts the walks of worlds with three clusters', () => {
  const [explored = ''] = stdout.split('Must break:');
  expect(explored.match(/^ok .*$(?!\n {7}\S)/gm)).toBeNull();
  expect(
    explored.match(/^ok +\d+ walks .*\n {7}a hub that certifies 2 clusters.*; X.509 paths /gm)?.length,
  ).toBeGreaterThan(3);
});

test('the checker reports each missing guard in few lines', () => {
  const missed = [...stdout.matchAll(/^breaks +(\d+) (lines|steps) {2}without "(.*)"/gm)];
  expect(new Set(missed.map(([, , , name]) => name))).toEqual(new Set(GUARDS));
  const lines = missed.flatMap(([, count, unit]) => (unit === 'lines' ? [Number(count)] : []));
  expect(Math.max(...lines)).toBeLessThan(READABLE);
});

test('the checker explains in words why each order that is known to fail does', () => {
  const [, found = ''] = stdout.split('Must break:');
  const [orders = ''] = found.split(/^breaks.* {2}without "/m);
  const reasons = [...orders.matchAll(/^breaks +\d+ lines {2}(.*)\n(?: .*\n)*? {2}=> (.*)$/gm)];
  expect(Object.fromEntries(reasons.map(([, order, reason]) => [order, reason]))).toEqual({
    'the issuer before the restarts, without a bridge':
      'a proxy that knows only A refuses a certificate of B, with no bridge',
    'anchor and issuer in one step': 'a proxy that knows only B refuses a certificate of A, with no bridge',
    'anchor and issuer renewed independently':
      'a proxy that knows only B and C refuses a certificate of A, with no bridge',
    'the old anchor retired by a timer': 'a proxy that knows only B refuses a certificate of A, with no bridge',
    'a bridge accepted without checks': "a proxy that knows only A refuses a certificate of B, with B's bridge by Z",
    'no wait for the bridge': 'a proxy that knows only A refuses a certificate of B, with no bridge',
    'a bridge signed by the leaked key': 'the operator asks for a certificate by A, which leaked',
    'the old root removed as soon as all pods trust the next one':
      'identity, which knows only B, refuses a certificate of A, with no bridge',
    'a leak declared over when the old root has left the bundle':
      'the operator reports that nothing trusts the key, but a proxy that knows A and B accepts what an attacker signs with A',
  });
  expect(orders).toContain(`
breaks   5 lines  anchor and issuer in one step
  1. the operator observes and decides: apply-anchor 2 self true
  2. cert-manager issues anchor B
  3. the operator observes and decides: bundle 1 false, keep-roots, set-signer 2
  4. trust-manager writes the bundle: B
  5. a pod starts with B
`);
});
