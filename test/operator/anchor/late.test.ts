import type { ObservedTrust } from '#anchor/observed';
import type { AnchorAction } from '#anchor/plan';
import { next } from '#anchor/rotation/next';
import { type TrustAnchor, withDefaults } from '#operator/src/anchor/objects/trust-anchor';
import { observe } from '#operator/src/anchor/observe/observe';
import type { AnyObject } from '../../support/anchor/played/memory-api';
import { type PlayedMesh, type PlayedOperator, playedMesh, rotateTo } from '../../support/anchor/played/played-mesh';

let stable: PlayedMesh;

beforeAll(async () => {
  stable = playedMesh();
  await rotateTo(stable, 1);
  for (let minutes = 0; minutes < 10; minutes += 1) stable.pass(60_000);
});

function observed(mesh: PlayedMesh): ObservedTrust {
  const { context } = mesh.operator();
  const anchor = withDefaults(mesh.api.find('trustanchors', 'linkerd') as TrustAnchor);
  const view = { ...context.caches.view(), anchor, issuerEnds: new Map<string, number>(), installedIssuer: '' };
  return observe(view, mesh.now()).trust;
}

/** Whether the action removes an anchor from the bundle, or its key. */
function isFinal(action: AnchorAction, { kept }: ObservedTrust): boolean {
  if (action.do === 'keep-roots') return kept.some((key) => !action.keys.includes(key));
  return action.do === 'delete-anchor' || ('bundled' in action && !action.bundled);
}

test.each([
  ['a rotation', {}, 2],
  ['an aborted rotation', { abort: true }, 1],
])('with late caches, %s does nothing irreversible, and proves nothing', async (_what, change, end) => {
  const mesh = stable.copy();
  mesh.spec({ rotateNow: 'two' });
  const operator = mesh.operator();
  while (mesh.status().phase !== 'Signing') mesh.pass(Math.max(1_000, await operator.look()));
  mesh.spec(change);
  const finals = { inTime: 0, late: 0, proofs: 0 };
  await rotateTo(mesh, end, {
    afterLook: () => {
      const trust = observed(mesh);
      if (trust.memory.rotation === undefined) return;
      finals.inTime += next(trust, mesh.now()).actions.filter((action) => isFinal(action, trust)).length;
      const { actions, memory, report } = next({ ...trust, isLate: true }, mesh.now());
      expect(report).toBeUndefined();
      finals.late += actions.filter((action) => isFinal(action, trust)).length;
      const { adopted, dropped, returned, retiring, committed } = memory.rotation ?? {};
      const before = trust.memory.rotation;
      const isNewlyRetiring = (retiring && !before.retiring) || (committed && !before.committed);
      const isOver = memory.rotation === undefined;
      if (adopted || dropped || returned || isNewlyRetiring || isOver) finals.proofs += 1;
    },
  });
  expect(finals).toEqual({ inTime: expect.any(Number), late: 0, proofs: 0 });
  expect(finals.inTime).toBeGreaterThan(0);
});

test('an operator with a failing watch of pods retires nothing, names the watch, and continues once it works', async () => {
  const mesh = stable.copy();
  const started = performance.now();
  const state = { isAway: true };
  const { caches } = mesh.operator().context;
  const refresh = () =>
    Promise.resolve(state.isAway ? [{ name: 'pods', plural: 'pods', untilMs: started - 600_000 }] : []);
  const operator: PlayedOperator = mesh.operator({ caches: { ...caches, refresh } });
  mesh.spec({ rotateNow: 'two' });
  for (let looks = 0; looks < 60; looks += 1) mesh.pass(Math.max(10_000, await operator.look()));
  const { phase, memory, conditions } = mesh.status();
  expect(memory.rotation.retiring).toBeUndefined();
  expect(phase).toBe('Signing');
  expect(conditions.find(({ type }: AnyObject) => type === 'Degraded')).toMatchObject({
    status: 'True',
    reason: 'NotUpToDate',
    message: expect.stringMatching(
      /received no updates of pods \(since 20.*:00Z\) for longer than propagationDelay \(1m\): no anchor is retired/,
    ),
  });
  expect(mesh.api.find('secrets', 'cert-manager/linkerd-trust-anchor-1')).toBeDefined();
  state.isAway = false;
  await rotateTo(mesh, 2, { operators: () => operator });
});

test('an unreadable kind of external proxies keeps the old anchor, unless acceptUnseenProxies is set', async () => {
  const mesh = stable.copy();
  const readOutside = () => Promise.resolve({ workloads: [], links: [], unread: ['externalworkloads'] });
  const operator = mesh.operator({ readOutside });
  mesh.spec({ rotateNow: 'two' });
  for (let looks = 0; looks < 60; looks += 1) mesh.pass(Math.max(10_000, await operator.look()));
  expect(mesh.status().memory.rotation).not.toHaveProperty('retiring');
  expect(mesh.status().conditions.find(({ type }: AnyObject) => type === 'Degraded')).toMatchObject({
    reason: 'NotUpToDate',
    message: expect.stringContaining('externalworkloads'),
  });
  mesh.spec({ acceptUnseenProxies: true });
  await rotateTo(mesh, 2, { operators: () => operator });
});
