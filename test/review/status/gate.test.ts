import type { StatusObservation } from '#lib/review/live/observation';
import { driftFindings } from '#lib/review/status/drift';
import { gateStep, isOpen } from '#lib/review/status/gate';
import { applicationsUnread, clusterStatus, fleetStatus } from '#lib/review/status/status';
import { application, argocd, CONFIG, home, INTENT, NOW, podWith, read, TRUST_ANCHOR } from '../live/healthy-mesh';

const intent = { rings: [], clusters: [], ignored: [] };
const fleetOf = (...of: Parameters<typeof home>) =>
  fleetStatus([clusterStatus(home()), clusterStatus(home(...of))], { intent, findings: [], now: NOW });

test.each<[string, Partial<StatusObservation>]>([
  ['the cluster is healthy', {}],
  ['some proxies are old', { pods: read(podWith({ release: 'edge-26.6.3' })) }],
  ['a policy is in audit', { servers: read({ namespace: 'shop', name: 'web', accessPolicy: 'audit' }) }],
])('the gate is open if %s', (_where, seen) => expect(isOpen(fleetOf(seen))).toBe(true));

test.each<[string, Partial<StatusObservation>]>([
  ['one cluster has an error', { webhooks: read() }],
  ['one cluster does not answer', { unreachable: 'late' }],
  ['a list is forbidden', { servers: { is: 'forbidden' } }],
  ['a list is too long', { servers: { is: 'read', items: [], truncated: true } }],
  ['proxies are starting', { pods: read({ ...podWith({ isReady: false }), created: NOW - 1000 }) }],
  ['workloads are restarting', { configs: read({ ...CONFIG, inProgress: ['shop/Deployment/web'] }) }],
  ['the operator has not observed a change', { trustAnchors: read({ ...TRUST_ANCHOR, isOutdated: true }) }],
])('the gate is closed if %s', (_where, seen) => expect(isOpen(fleetOf(seen))).toBe(false));

describe('a gate with a soak of 60 seconds', () => {
  const times = { deadline: 1_000, soak: { ms: 60, text: '60s' }, pause: 15 };
  const healthy = fleetOf();
  const starting = fleetOf({ pods: read({ ...podWith({ isReady: false }), created: NOW - 1000 }) });
  const restarting = fleetOf({ configs: read({ ...CONFIG, inProgress: ['shop/Deployment/web'] }) });

  test.each([
    ['begins the soak', healthy, { now: 10, since: undefined }, { since: 10 }],
    ['continues the soak', healthy, { now: 69, since: 10 }, { since: 10 }],
    ['continues the soak while pods start', starting, { now: 80, since: 10 }, { since: 10 }],
    ['begins the soak again after restarts by the operator', restarting, { now: 80, since: 10 }, { since: undefined }],
    ['opens after the soak', healthy, { now: 70, since: 10 }, { result: healthy }],
    ['ends at the deadline with the findings', restarting, { now: 990, since: 10 }, { result: restarting }],
  ])('%s', (_what, found, at, step) => expect(gateStep(found, at, times)).toEqual(step));

  test('ends at the deadline with the unfinished soak', () => {
    const step = gateStep(healthy, { now: 990, since: 980 }, times);
    expect('result' in step && step.result.findings.map(({ problem }) => problem.code)).toEqual(['soak-unfinished']);
  });
});

test('the gate is closed while objects differ, and if a success rate is not measured', () => {
  const drift = driftFindings([{ folder: 'shop', failure: 'no' }], () => '');
  expect(isOpen(fleetOf({}, { drift }))).toBe(false);
  const { seen: _, ...unread } = home();
  const ring = { name: 'canary', revision: 'ring/canary', health: { successRate: 0.9 } };
  const through = clusterStatus({ ...unread, intent: { ...INTENT, ring } });
  expect(isOpen(fleetStatus([through], { intent, findings: [], now: NOW }))).toBe(false);
});

test('the gate is closed while Applications are progressing, at different commits, or unknown', () => {
  const others = [application('linkerd')];
  const withShop = (changes: object) => fleetOf({}, { argocd: argocd([...others, application('shop', changes)]) });
  expect(isOpen(withShop({}))).toBe(true);
  expect(isOpen(withShop({ health: 'Progressing' }))).toBe(false);
  expect(isOpen(withShop({ revision: 'b'.repeat(40) }))).toBe(false);
  expect(isOpen({ ...fleetOf(), findings: [applicationsUnread('forbidden')] })).toBe(false);
});
