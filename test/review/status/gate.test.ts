import type { StatusObservation } from '#lib/review/live/observation';
import { driftFindings } from '#lib/review/status/drift';
import { isOpen, isSoaking } from '#lib/review/status/gate';
import { applicationsUnread, clusterStatus, fleetStatus } from '#lib/review/status/status';
import { application, argocd, CONFIG, home, INTENT, NOW, podWith, read, TRUST_ANCHOR } from '../live/healthy-mesh';

const intent = { rings: [], clusters: [], ignored: [] };
const fleetOf = (...of: Parameters<typeof home>) =>
  fleetStatus([clusterStatus(home()), clusterStatus(home(...of))], { intent, findings: [], now: NOW });

test.each<[string, Partial<StatusObservation>]>([
  ['all is well', {}],
  ['some proxies are old', { pods: read(podWith({ release: 'edge-26.6.3' })) }],
  ['a policy is in audit', { servers: read({ namespace: 'shop', name: 'web', accessPolicy: 'audit' }) }],
])('the gate is open where %s', (_where, seen) => {
  expect(isOpen(fleetOf(seen))).toBe(true);
});

test.each<[string, Partial<StatusObservation>]>([
  ['one cluster has an error', { webhooks: read() }],
  ['one cluster does not answer', { unreachable: 'late' }],
  ['a list may not be read', { servers: { is: 'forbidden' } }],
  ['a list is too long', { servers: { is: 'read', items: [], truncated: true } }],
  ['proxies are starting', { pods: read({ ...podWith({ isReady: false }), created: NOW - 1000 }) }],
  ['workloads are restarting', { configs: read({ ...CONFIG, inProgress: ['shop/Deployment/web'] }) }],
  ['the operator has not observed a change', { trustAnchors: read({ ...TRUST_ANCHOR, isOutdated: true }) }],
])('the gate is closed where %s', (_where, seen) => {
  expect(isOpen(fleetOf(seen))).toBe(false);
});

test('pods that start do not begin a soak again, and restarts of the operator do', () => {
  expect(isSoaking(fleetOf({ pods: read({ ...podWith({ isReady: false }), created: NOW - 1000 }) }))).toBe(true);
  expect(isSoaking(fleetOf({ configs: read({ ...CONFIG, inProgress: ['shop/Deployment/web'] }) }))).toBe(false);
});

test('the gate is closed while objects differ, and where a success rate is not measured', () => {
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
