import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ANCHOR, IDENTITY_ISSUER, TRUST_ROOTS } from '#anchor/trust-anchor';
import { describeListed, goneSince, type Listed, leftBehind, parseInventory } from './inventory';
import type { LiveObject } from './kubectl';
import { durationText } from './results';
import { asInGuide, commandsIn } from './steps/helm-mesh';
import { notRefused } from './steps/policy';
import { milestoneGap, rootsGap } from './steps/rotation';
import { startedEarly } from './steps/traffic';
import { unhealthy } from './sync';
import { type Counts, failures, parseSample, since, successes, sum, TrafficRecord } from './traffic';
import { checkSteps, stepsInOrder, USUAL_STEPS } from './walk';

const ROOT = join(__dirname, '..', '..');

const live = (kind: string, status: object, spec: object = {}): LiveObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name: 'one', uid: 'u', generation: 2 },
  spec,
  status,
});
const condition = (type: string, status = 'True', message = 'why') => ({ type, status, message });

describe('unhealthy is right about', () => {
  const whole = { observedGeneration: 2, updatedReplicas: 2, replicas: 2, availableReplicas: 2 };
  const deployment = (status: object) => live('Deployment', { ...whole, ...status }, { replicas: 2 });
  test.each<[string, LiveObject | undefined, boolean]>([
    ['a Deployment as applied', deployment({}), true],
    ['a Deployment that its controller has not observed', deployment({ observedGeneration: 1 }), false],
    ['a Deployment with pods to create', deployment({ updatedReplicas: 1, replicas: 1 }), false],
    ['a Deployment with pods to end', deployment({ replicas: 3 }), false],
    ['a Deployment whose pods are not available', deployment({ availableReplicas: 1 }), false],
    ['a Certificate that is ready', live('Certificate', { conditions: [condition('Ready')] }), true],
    ['a Certificate that is not ready', live('Certificate', { conditions: [condition('Ready', 'False')] }), false],
    ['a Bundle without conditions', live('Bundle', {}), false],
    ['a ConfigMap', live('ConfigMap', {}), true],
    ['a missing object', undefined, false],
  ])('%s', (_, object, isHealthy) => {
    expect(unhealthy(object) === undefined).toBe(isHealthy);
  });
});

test('milestoneGap reports milestones of a rotation in order, up to the awaited one', () => {
  const reached: string[] = [];
  const conditions = [condition('Minted'), condition('Announced', 'False', 'two minutes'), condition('Bridged')];
  const gap = milestoneGap(live('TrustAnchor', { conditions }), 'Retired', (name) => reached.push(name));
  expect([reached, gap]).toEqual([['Minted'], expect.stringContaining('Announced: two minutes')]);
  const done = ['Minted', 'Announced', 'Bridged', 'Signing', 'LeavesTurned'].map((type) => condition(type));
  expect(milestoneGap(live('TrustAnchor', { conditions: done }), 'LeavesTurned', () => undefined)).toBeUndefined();
  expect(milestoneGap(live('TrustAnchor', { conditions: done }), 'Retired', () => undefined)).toContain('Adopted');
  expect(milestoneGap(undefined, 'Retired', () => undefined)).toContain('Minted');
});

test('rootsGap reports roots that are not anchors of the mesh, even before a condition reports them', () => {
  expect(rootsGap(live('TrustAnchor', { conditions: [condition('RootsKnown')] }))).toBeUndefined();
  const foreign = live('TrustAnchor', { conditions: [condition('RootsKnown', 'False', 'every proxy trusts')] });
  expect([rootsGap(foreign), rootsGap(live('TrustAnchor', {}))]).toEqual([
    expect.stringContaining('every proxy trusts'),
    expect.stringContaining('not seen'),
  ]);
});

test('notRefused is satisfied when enough requests of each kind failed and none succeeded', () => {
  const failed = (count: number, ok = 0) => ({ ok, failed: { 'HTTP 403': count }, reconnects: 0 });
  expect(notRefused({ fresh: failed(10), opaque: failed(12) })).toBeUndefined();
  expect(notRefused({ fresh: failed(10), opaque: failed(9) })).toContain('fewer');
  expect(notRefused({ fresh: failed(10), opaque: failed(12, 1) })).toContain('got through');
  expect(notRefused({})).toBeDefined();
});

describe('the counts of requests', () => {
  const count = (ok: number, failed: Record<string, number> = {}, reconnects = 0) => ({ ok, failed, reconnects });
  const one: Counts = { fresh: count(3, { 'HTTP 503': 1 }), held: count(1, {}, 1) };
  const other: Counts = { fresh: count(4, { 'HTTP 503': 1, timeout: 2 }), opaque: count(7) };

  test('are added by kind and failure, and the earlier counts are subtracted', () => {
    expect(sum(one, other)).toEqual({
      fresh: count(7, { 'HTTP 503': 2, timeout: 2 }),
      held: count(1, {}, 1),
      opaque: count(7),
    });
    expect(since(one, sum(one, other))).toEqual({ ...other, held: count(0) });
    expect([successes(other), failures(other), successes({}), failures({})]).toEqual([11, 3, 0, 0]);
  });

  test('are the last counts of each container, added over the containers of a pod', () => {
    const record = new TrafficRecord();
    const sample = (startedAt: string, ok: number) => ({ startedAt, counts: { fresh: count(ok) }, recent: [] });
    record.add('client-1', sample('10:00', 5));
    record.add('client-1', sample('10:00', 8));
    record.add('client-1', sample('10:05', 1));
    record.add('client-2', sample('10:00', 2));
    expect(record.total).toEqual({ fresh: count(11) });
    expect(['Error: no', 'null', '{"level":"info"}'].map(parseSample)).toEqual([undefined, undefined, undefined]);
  });
});

describe('the remains of an end-to-end run', () => {
  const listed = (name: string, more: Partial<Listed> = {}): Listed => ({
    kind: 'ConfigMap',
    apiVersion: 'v1',
    namespace: 'shop',
    name,
    uid: `uid-${name}`,
    isOwned: false,
    ...more,
  });

  test('are read from the columns of kubectl', () => {
    const text =
      'Namespace v1 <none> shop u1 <none> e2e-1\nReplicaSet apps/v1 shop web-1 u2 Deployment <none>\n\nerror: x';
    expect(parseInventory(text)).toEqual([
      { kind: 'Namespace', apiVersion: 'v1', name: 'shop', uid: 'u1', isOwned: false, run: 'e2e-1' },
      { kind: 'ReplicaSet', apiVersion: 'apps/v1', namespace: 'shop', name: 'web-1', uid: 'u2', isOwned: true },
    ]);
  });

  test('are compared by uid, once for several API groups, without owned objects and Events', () => {
    const [old, same, again] = [listed('old'), listed('same'), listed('old', { uid: 'another' })];
    const ingress = listed('web', { kind: 'Ingress' });
    const passing = [listed('pod', { isOwned: true }), listed('happened', { kind: 'Event' })];
    const after = [again, same, ingress, { ...ingress, apiVersion: 'networking.k8s.io/v1' }, ...passing];
    expect(leftBehind([old, same], after).others.map(({ uid }) => uid)).toEqual([again.uid, ingress.uid]);
    expect(goneSince([old, same, ...passing], [again, same])).toEqual([old]);
  });

  test('may have reasons to stay, of which the first applies', () => {
    const promises = [
      { reason: 'roots', is: ({ name }: Listed) => name === 'roots' },
      { reason: 'all', is: ({ name }: Listed) => name !== 'other' },
    ];
    const { promised, others } = leftBehind([], [listed('roots'), listed('more'), listed('other')], promises);
    expect([...promised].map(([reason, list]) => [reason, list.map(describeListed)])).toEqual([
      ['roots', ['ConfigMap shop/roots']],
      ['all', ['ConfigMap shop/more']],
    ]);
    expect(others.map(({ name }) => name)).toEqual(['other']);
  });
});

test('stepsInOrder sorts steps, and checkSteps requires the dependencies of each step', () => {
  expect(stepsInOrder(['removal', 'traffic', 'install'])).toEqual(['install', 'traffic', 'removal']);
  expect(USUAL_STEPS.filter((name) => ['helm-mesh', 'takeover'].includes(name))).toEqual([]);
  expect(checkSteps(USUAL_STEPS)).toBeUndefined();
  const possible = [
    ['install'],
    ['removal'],
    ['install', 'traffic', 'policy'],
    ['takeover', 'install'],
    ['helm-mesh'],
    ['helm-mesh', 'traffic', 'rotation', 'removal'],
  ];
  const impossible = [
    ['rotation'],
    ['install', 'rotation'],
    ['takeover'],
    ['traffic'],
    ['helm-mesh', 'rotation'],
    ...['takeover', 'install', 'restart', 'policy', 'status'].map((name) => ['helm-mesh', 'traffic', name]),
  ];
  expect(possible.flatMap((steps) => checkSteps(steps) ?? [])).toEqual([]);
  expect(impossible.filter((steps) => checkSteps(steps) === undefined)).toEqual([]);
});

describe("the mesh of Linkerd's guide", () => {
  const object = (kind: string, name: string, spec: object = { renewal: {} }) => ({
    apiVersion: 'cert-manager.io/v1',
    kind,
    metadata: { name },
    spec,
  });

  test("has its own anchor and Bundle in place of the library's, and no policy of the library", () => {
    const [anchor, bundle] = [object('Certificate', ANCHOR), object('Bundle', TRUST_ROOTS)].map(asInGuide);
    expect(anchor).toMatchObject([{ metadata: { name: ANCHOR }, spec: { secretName: ANCHOR, isCA: true } }]);
    expect(JSON.stringify([anchor, bundle])).not.toMatch(/renewal|cdk8s-linkerd/);
    expect(bundle).toMatchObject([{ spec: { sources: [{ secret: { name: ANCHOR } }, { secret: {} }] } }]);
    expect(asInGuide(object('ValidatingAdmissionPolicy', 'linkerd-issuers'))).toEqual([]);
    const others = [object('Secret', ANCHOR), object('Certificate', IDENTITY_ISSUER)];
    expect(others.flatMap(asInGuide)).toEqual(others);
  });

  test('gets its operator by the commands of docs/helm-anchor.md, of which the first apply may fail', () => {
    const { print, apply } = commandsIn(readFileSync(join(ROOT, 'docs', 'helm-anchor.md'), 'utf8'));
    expect(print).toMatch(/^npx .* operator manifests --rotation .* > operator\.yaml\n$/m);
    expect(apply.match(/^kubectl \w+/gm)).toEqual(
      ['apply', 'wait', 'rollout', 'apply', 'wait', 'delete'].map((verb) => `kubectl ${verb}`),
    );
    expect(apply.match(/^.* \|\| true$/gm)).toEqual([expect.stringMatching(/^kubectl apply .* -f operator\.yaml/)]);
    expect(apply).toMatch(/=Stable --timeout 5m\nkubectl delete secret linkerd-previous-anchor .*\n$/);
  });
});

test('durationText rounds to seconds before it splits minutes', () => {
  expect([0, 59.6, 3600].map(durationText)).toEqual(['0s', '1m00s', '60m00s']);
});

test('startedEarly counts pods that started before the first linkerd-destination was ready', () => {
  const destination = (status: string, at: string) =>
    live('Pod', { conditions: [{ ...condition('Ready', status), lastTransitionTime: `2026-11-29T10:${at}Z` }] });
  const pod = (at: string) => live('Pod', { startTime: `2026-11-29T10:${at}Z` });
  const pods = [pod('00:59'), pod('01:00'), live('Pod', {})];
  expect(startedEarly(pods, [destination('True', '02:00'), destination('True', '01:00')])).toHaveLength(1);
  expect(startedEarly(pods, [destination('False', '00:10')])).toHaveLength(2);
});
