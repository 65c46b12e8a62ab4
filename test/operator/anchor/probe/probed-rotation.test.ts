import { IDENTITY_ISSUER } from '#anchor/trust-anchor';
import { HOUR } from '#base/time-units';
import type { Presented, ProbeRound } from '#operator/src/anchor/observe/presented';
import type { Prober } from '#operator/src/anchor/probe/prober';
import type { AnyObject } from '#test/support/anchor/played/memory-api';
import { condition, type PlayedMesh, playedMesh, rotateTo } from '#test/support/anchor/played/played-mesh';
import { issueCertificate } from '#test/support/cluster/certificates';

let stable: PlayedMesh;
beforeAll(async () => {
  stable = playedMesh();
  await rotateTo(stable, 1);
  for (let minutes = 0; minutes < 10; minutes += 1) stable.pass(60_000);
});

/** The chain of the issuer that identity uses. */
const issuerOf = ({ api }: PlayedMesh): string => api.find('secrets', `linkerd/${IDENTITY_ISSUER}`)?.tls.cert;

const presenting = (pod: string, above: string, now: number, notAfter = now + HOUR): Presented => ({
  pod,
  isTrusted: false,
  leaf: { notBefore: now - HOUR, notAfter, above },
});

/** A prober that returns this round at each call. */
const finding = (mesh: PlayedMesh, found: () => Partial<ProbeRound> | undefined): Prober => ({
  probe: () => {
    const round = found();
    return round && { since: mesh.now(), presented: [], unreached: [], ...round };
  },
  dueInMs: () => undefined,
});

/** Rotates to the second generation. @returns the minutes that it took */
async function rotate(mesh: PlayedMesh, prober: Prober, afterLook: () => void = () => undefined): Promise<number> {
  const began = mesh.now();
  mesh.spec({ rotateNow: 'two' });
  await rotateTo(mesh, 2, { operators: () => mesh.operator({ prober }), afterLook });
  return (mesh.now() - began) / 60_000;
}

const notes = (mesh: PlayedMesh, reason: string): number =>
  mesh.events.filter((event) => event.reason === reason).length;

test('probes do not delay a rotation with new certificates on all proxies, and all pairs verify', async () => {
  const [asked, unasked] = [stable.copy(), stable.copy()];
  const web = () => ({ presented: [presenting('shop/web', issuerOf(asked), asked.now())] });
  const statuses = new Set<string>();
  const took = await rotate(asked, finding(asked, web), () => statuses.add(condition(asked, 'PairsVerified').status));
  expect([...statuses]).toEqual(['True']);
  expect(took).toBe(
    await rotate(
      unasked,
      finding(unasked, () => ({})),
    ),
  );
  expect(notes(asked, 'PairsVerified') + notes(asked, 'PairsRefused')).toBe(0);
});

test('a certificate that lives for hours delays the retirement of its anchor until it expires', async () => {
  const mesh = stable.copy();
  const [old, end] = [issuerOf(mesh), mesh.now() + 2 * HOUR];
  const reasons = new Set<string>();
  const found = () => ({ presented: [presenting('shop/old', old, mesh.now(), end)] });
  await rotate(mesh, finding(mesh, found), () => {
    const retired = condition(mesh, 'Retired');
    if (mesh.status().phase === 'Adopted') reasons.add(retired.reason);
    if (retired.reason === 'OldChains') {
      expect(retired.message).toContain('shop/old');
      expect(condition(mesh, 'Degraded')).toMatchObject({ status: 'True', reason: 'OldChains' });
    }
    if (retired.reason === 'Removing') expect(mesh.now()).toBeGreaterThan(end);
  });
  expect([...reasons]).toEqual(['OldChains', 'Removing']);
});

test('with probes set to Report, a certificate that lives for hours delays no retirement', async () => {
  const mesh = stable.copy();
  mesh.spec({ probes: 'Report' });
  const [old, end] = [issuerOf(mesh), mesh.now() + 2 * HOUR];
  await rotate(
    mesh,
    finding(mesh, () => ({ presented: [presenting('shop/old', old, mesh.now(), end)] })),
  );
  expect(mesh.now()).toBeLessThan(end);
});

test('a rotation continues after a delay if no proxy answers, and the status reports that', async () => {
  const [mesh, usual] = [stable.copy(), stable.copy()];
  const reasons = new Set<string>();
  const silent = finding(mesh, () => ({ unreached: ['shop/web'] }));
  const took = await rotate(mesh, silent, () => reasons.add(condition(mesh, 'Retired').reason));
  expect([...reasons]).toEqual(expect.arrayContaining(['Unreachable', 'Removing']));
  expect(condition(mesh, 'PairsVerified')).toMatchObject({ status: 'Unknown', reason: 'Unreachable' });
  const usually = await rotate(
    usual,
    finding(usual, () => ({})),
  );
  // Twice propagationDelay, in minutes.
  expect(took - usually).toBeLessThanOrEqual(3);
});

test('the status names a tenant with a foreign certificate once, and the rotation does not wait for it', async () => {
  const mesh = stable.copy();
  const notBefore = new Date(mesh.now() - HOUR);
  const notAfter = new Date(mesh.now() + 1_000 * HOUR);
  const stranger = issueCertificate({ commonName: 'identity', ca: true, notBefore, notAfter }).cert;
  const found = () => ({
    presented: [
      presenting('shop/web', issuerOf(mesh), mesh.now()),
      presenting('shop/x', stranger, mesh.now()),
      { pod: 'shop/y', isTrusted: false },
    ],
  });
  await rotate(mesh, finding(mesh, found), () => {
    expect(condition(mesh, 'PairsVerified')).toMatchObject({ status: 'False', reason: 'Foreign' });
    expect(condition(mesh, 'PairsVerified').message).toMatch(/^shop\/x .*; shop\/y /);
  });
  expect(notes(mesh, 'PairsRefused')).toBe(1);
  await mesh.operator({ prober: finding(mesh, () => ({ presented: found().presented.slice(0, 1) })) }).look();
  expect(condition(mesh, 'PairsVerified').status).toBe('True');
  expect(notes(mesh, 'PairsVerified')).toBe(1);
});

test("a new leader keeps its predecessor's probe results, and retires nothing before its first round", async () => {
  const mesh = stable.copy();
  const [old, end] = [issuerOf(mesh), mesh.now() + 2 * HOUR];
  const known = finding(mesh, () => ({ presented: [presenting('shop/old', old, mesh.now(), end)] }));
  const isHeld = (): boolean => condition(mesh, 'Retired').reason === 'OldChains';
  await expect(
    rotate(mesh, known, () => {
      if (isHeld()) throw new Error('held');
    }),
  ).rejects.toThrow('held');
  const before = condition(mesh, 'PairsVerified');
  mesh.pass(3 * HOUR);
  const successor = mesh.operator({ prober: finding(mesh, () => undefined) });
  for (let looks = 0; looks < 5; looks += 1) {
    await successor.look();
    mesh.pass(60_000);
  }
  expect(condition(mesh, 'Retired').reason).toBe('Probing');
  expect(condition(mesh, 'PairsVerified')).toEqual(before);
  expect(mesh.status().memory.rotation.retiring).toBeUndefined();
});

test('before the first round, the status reports no probe results', async () => {
  const mesh = stable.copy();
  const { conditions, ...status } = mesh.status();
  const others = conditions.filter(({ type }: AnyObject) => type !== 'PairsVerified');
  mesh.api.put('trustanchors', { metadata: { name: 'linkerd' }, status: { ...status, conditions: others } });
  await mesh.operator({ prober: finding(mesh, () => undefined) }).look();
  expect(condition(mesh, 'PairsVerified')).toMatchObject({ status: 'Unknown', reason: 'Probing' });
});
