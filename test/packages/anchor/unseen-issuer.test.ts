import type { ObservedTrust } from '#anchor/observed';
import { next } from '#anchor/rotation/next';
import { foreignAnchors, isAlive, issuerInUse, strangeRoots } from '#anchor/unseen-issuer';
import { anchor, bundleOf, ca, issued, memory, NOW, observed, POLICY } from './fixture';

/**
 * A mesh installed without cert-manager: the signing key is not in the cluster, and the operator cannot read the
 * issuer.
 */
function installed(more: Partial<ObservedTrust> = {}): ObservedTrust {
  return observed({
    memory: { bundles: memory().bundles },
    anchors: [],
    signer: undefined,
    issuer: { state: 'issuing' },
    bundle: bundleOf('A'),
    identity: [{ name: 'identity-0', since: 4000, issuerEnd: 90_000 }],
    ...more,
  });
}

test('the mesh uses the only foreign anchor, until the expiry in the metric of identity', () => {
  const chain = { signer: 'A', notBefore: 0, notAfter: 90_000, bridges: [] };
  expect(issuerInUse(installed()).chain).toEqual(chain);
  expect(issuerInUse(installed({ anchors: [anchor(1, { certificate: undefined })] })).chain).toEqual(chain);
});

test('the operator takes the earliest expiry of several replicas of identity', () => {
  const identity = [90_000, 80_000].map((issuerEnd) => ({ name: `identity-${issuerEnd}`, since: 4000, issuerEnd }));
  expect(issuerInUse(installed({ identity })).chain?.notAfter).toBe(80_000);
});

test('the operator uses a readable issuer, even while another one is being issued', () => {
  const issuer = issued('Z', { state: 'issuing' });
  expect(issuerInUse(installed({ issuer }))).toBe(issuer);
});

test('the operator detects a mesh if an issuer or pods with roots exist', () => {
  const pod = { workload: 'a/Deployment/b', pods: 1, since: 0, restartable: true };
  const alive = (more: Partial<ObservedTrust>) => isAlive(installed({ identity: [], ...more }));
  expect([alive({}), alive({ pods: [pod] }), alive({ pods: [pod, { ...pod, hash: 'A' }] })]).toEqual([
    false,
    false,
    true,
  ]);
  expect(isAlive(installed({ pods: [] }))).toBe(true);
});

test.each<[string, Partial<ObservedTrust>]>([
  ['the expiry of the issuer is unknown', { identity: [{ name: 'identity-0', since: 0 }] }],
  ['the bundle has two anchors', { bundle: bundleOf('A', 'X') }],
  ['no replica of identity runs', { identity: [] }],
  ['cert-manager has issued another one', { issuer: { state: 'issued' } }],
])('the operator infers no issuer if %s', (_, more) => expect(issuerInUse(installed(more)).chain).toBeUndefined());

test('the operator adopts an unseen issuer unchanged, without a restart or signature before a request', () => {
  const quiet = next(installed(), NOW);
  expect(quiet).toMatchObject({ phase: 'Stable', memory: { current: { key: 'A' } } });
  expect(quiet.memory.rotation).toBeUndefined();
  expect(quiet.nextRotation).toBeLessThan(90_000);
  const silent = next(installed({ identity: [{ name: 'identity-0', since: 0 }] }), NOW);
  expect(silent.phase).toBe('Pending');
  expect(silent.memory.rotation).toBeUndefined();
  expect(next(installed({ bundle: bundleOf('A', 'X') }), NOW).memory.rotation).toBeUndefined();
  const asked = next(installed({ policy: { ...POLICY, rotateNow: 'x' } }), NOW);
  expect(asked.memory.rotation).toMatchObject({ from: 'A', to: 1 });
});

test('the operator rotates even if late, if no controller can renew the issuer', () => {
  const soon = (issuerEnd: number) => installed({ identity: [{ name: 'identity-0', since: 0, issuerEnd }] });
  expect(next(soon(NOW + 10), NOW).memory.rotation).toMatchObject({ from: 'A', to: 1 });
});

describe('foreign roots in the bundle', () => {
  const members = [{ name: 'east', signing: ['F'], roots: ['E'], adopted: [] }];
  const certified = anchor(2, { certificate: ca('B', 'A') });
  const anchors = [...bundleOf('A', 'E', 'F', 'X').anchors, ca('B', 'A'), ca('Y', 'X')];
  const seen = observed({
    members,
    anchors: [certified],
    issuer: { state: 'missing' },
    bundle: { hash: 'x', anchors },
  });

  test('are all roots that neither this cluster nor a member has, whatever anchor certified them', () => {
    expect(foreignAnchors(seen)).toEqual(['A', 'F', 'X', 'Y']);
    expect(foreignAnchors({ ...seen, bundle: undefined })).toEqual([]);
  });

  test('are reported unless another cluster signs with them, or the mesh uses them', () => {
    expect(strangeRoots(seen, { bundles: [] })).toEqual(['A', 'X', 'Y']);
    expect(strangeRoots(seen, memory())).toEqual(['X', 'Y']);
    expect(strangeRoots({ ...seen, issuer: issued('X') }, memory())).toEqual(['Y']);
    const rotation = { from: 'X', to: 3, key: 'Y', began: 0, why: 'test' };
    expect(strangeRoots(seen, memory({ rotation }))).toEqual([]);
    expect(strangeRoots({ ...seen, bundle: undefined }, memory())).toEqual([]);
  });
});
