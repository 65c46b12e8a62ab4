import { HOUR, MINUTE } from '#base/time-units';
import { doctorReport } from '#lib/review/doctor/doctor';
import { doctorJson } from '#lib/review/doctor/formats/json';
import { doctorText } from '#lib/review/doctor/formats/text';
import type { Symptom } from '#lib/review/doctor/symptom';
import type { DoctorObservation } from '#lib/review/live/observation';
import type { ObservedPod, TroubledContainer } from '#lib/review/live/pods';
import { expectLinear } from '../../support/growth';
import {
  barePod,
  HEALTHY,
  NOW,
  platform,
  podWith,
  read,
  troubledPod,
  UNREAD,
  workload,
  workloadsWith,
} from '../live/healthy-mesh';

const WEB: Symptom = { namespace: 'shop', name: 'web' };
const SHOP: Symptom = { namespace: 'shop' };

function reportOf(changes: Partial<DoctorObservation>, symptom: Symptom = WEB) {
  return doctorReport({ seen: { ...HEALTHY, ...changes }, now: NOW, kubectl: 'kubectl', symptom });
}

/** The printed codes: chains, then findings without a chain. */
function codesOf(changes: Partial<DoctorObservation>, symptom: Symptom = WEB): readonly (string | readonly string[])[] {
  const report = reportOf(changes, symptom);
  const chains = report?.causes.map(({ chain }) => chain.map(({ problem }) => problem.code)) ?? [];
  return [...chains, ...(report?.others.map(({ problem }) => problem.code) ?? [])];
}

const STOPPED = { ready: 0, running: 0 };
const CERT_MANAGER_AWAY = platform('cert-manager', 'cert-manager', { wanted: 0, ...STOPPED });
/** A new pod with a proxy and this failing container. */
function startingPod(container: TroubledContainer): ObservedPod {
  const created = NOW - MINUTE;
  return { ...podWith({ isReady: false }), created, isReady: false, hasStarted: false, troubled: [container] };
}

const crashing = { name: 'main', reason: 'CrashLoopBackOff', message: 'exit code 1 (Error)', image: 'web:1' };

test.each<[string, readonly (string | readonly string[])[], Partial<DoctorObservation>]>([
  ['have a ready proxy', ['pods-unexplained'], { workloads: workloadsWith(CERT_MANAGER_AWAY) }],
  ['opt out of injection', ['pods-outside'], { pods: read(barePod({ inject: 'disabled' })) }],
  ['are on the network of the host', ['pods-outside'], { pods: read(barePod({ isHostNetwork: true })) }],
  [
    'are in a namespace without injection',
    ['pods-outside'],
    { pods: read(barePod()), namespaces: read({ name: 'shop', isExempt: false, labels: {} }) },
  ],
  [
    'are in a namespace that the webhooks ignore',
    ['pods-outside'],
    { pods: read(barePod()), namespaces: read({ name: 'shop', inject: 'enabled', isExempt: true, labels: {} }) },
  ],
  ['lack a proxy although the injector works', [['pods-without-proxy']], { pods: read(barePod()) }],
  [
    'lack a proxy because the injector is unreachable',
    [['webhook-unreachable', 'injection-stopped', 'pods-without-proxy']],
    { pods: read(barePod()), endpoints: read() },
  ],
  [
    'are refused',
    [['webhook-unreachable', 'injection-stopped', 'pods-refused']],
    {
      pods: read(),
      endpoints: read(),
      workloads: workloadsWith(
        CERT_MANAGER_AWAY,
        workload('web', {
          namespace: 'shop',
          labels: {},
          refusal: { message: 'failed calling webhook "linkerd-proxy-injector.linkerd.io": no endpoints' },
        }),
      ),
    },
  ],
  [
    'belong to a StatefulSet and are refused, which only Events report',
    [['quota-exhausted', 'pods-refused']],
    {
      pods: read(),
      quotas: read({ namespace: 'shop', name: 'q', exhausted: ['pods 0'] }),
      controllers: read({ kind: 'StatefulSet', namespace: 'shop', name: 'web', lacksPods: true }),
      events: read({
        namespace: 'shop',
        object: 'StatefulSet/web',
        reason: 'FailedCreate',
        message: 'pods "web-0" is forbidden: exceeded quota: q, requested: pods=1',
        last: NOW,
      }),
    },
  ],
  [
    'are refused, because their namespace is being deleted',
    [['namespace-terminating', 'pods-refused']],
    {
      pods: read(),
      namespaces: read({ name: 'shop', isExempt: false, labels: {}, terminating: { message: 'finalizers' } }),
      workloads: workloadsWith(
        workload('web', { namespace: 'shop', labels: {}, refusal: { message: 'it is being terminated' } }),
      ),
    },
  ],
  [
    'crash for a reason of their own',
    [['container-not-starting']],
    { pods: read(troubledPod('web', { troubled: [crashing], proxy: { isReady: true } }, 'shop')) },
  ],
  [
    'have a new proxy whose image cannot be pulled',
    [['image-unpullable', 'proxies-starting']],
    { pods: read(startingPod({ name: 'linkerd-init', reason: 'ImagePullBackOff', message: 'no', image: 'init:1' })) },
  ],
  [
    'have a new proxy, and a container that crashes',
    [['container-not-starting', 'proxies-starting']],
    { pods: read(startingPod(crashing)) },
  ],
  [
    'refuse all their clients',
    ['server-refuses-all'],
    {
      servers: read({ namespace: 'shop', name: 'web', podSelector: {}, accessPolicy: 'deny' }),
      authorizations: read(),
    },
  ],
  [
    'only a Server of external workloads would refuse',
    ['pods-unexplained'],
    { servers: read({ namespace: 'shop', name: 'web', accessPolicy: 'deny' }), authorizations: read() },
  ],
  [
    'have a proxy that is not ready, because identity is stopped',
    [['workload-scaled-down', 'identity-stopped', 'proxies-not-ready']],
    {
      pods: read({ ...podWith({ isReady: false }), isReady: false }),
      workloads: workloadsWith(workload('linkerd-identity', { wanted: 0, ...STOPPED })),
    },
  ],
])('doctor explains pods that %s', (_that, codes, changes) => expect(codesOf(changes)).toEqual(codes));

test('doctor finds pods by name, workload or namespace', () => {
  const pods = read(barePod({ inject: 'disabled' }), { ...barePod(), name: 'other-1', workload: 'Deployment/other' });
  expect(codesOf({ pods }, { namespace: 'shop', name: 'web-1' })).toEqual(['pods-outside']);
  expect(codesOf({ pods }, { namespace: 'shop', name: 'other' })).toEqual([['pods-without-proxy']]);
  expect(codesOf({ pods }, { namespace: 'shop' })).toEqual([['pods-without-proxy'], 'pods-outside']);
  expect(codesOf({ pods: read() }, { namespace: 'shop' })).toEqual(['pods-unexplained']);
});

test('doctor refuses a symptom with an unknown name', () => {
  expect(reportOf({}, { namespace: 'shop', name: 'constructor' })).toBeUndefined();
  expect(reportOf({}, { namespace: 'nowhere' })).toBeUndefined();
});

test('doctor reports unread pods as neither missing nor healthy', () => {
  for (const pods of UNREAD) {
    expect(codesOf({ pods })).toEqual([['pods-unread'], 'list-unread']);
    expect(codesOf({ pods }, { namespace: 'shop' })).toEqual([['pods-unread'], 'list-unread']);
  }
  for (const workloads of UNREAD) {
    expect(codesOf({ workloads }, { namespace: 'shop', name: 'new' })).toEqual([['pods-unread'], 'list-unread']);
    expect(codesOf({ workloads })).toEqual(['list-unread', 'pods-unexplained']);
  }
  for (const namespaces of UNREAD) {
    expect(codesOf({ namespaces }, { namespace: 'new' })).toEqual([['pods-unread'], 'list-unread']);
    expect(reportOf({ namespaces }, { namespace: 'shop', name: 'new' })).toBeUndefined();
  }
});

test('doctor examines a namespace with many workloads in linear time', () => {
  const crashed = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      troubledPod(`web-${index}`, { troubled: [crashing], proxy: { isReady: true } }, 'shop'),
    );
  expectLinear((count) => expect(reportOf({ pods: read(...crashed(count)) }, SHOP)?.causes.length).toBe(count), 500);
});

test('doctor ignores an old Event about a refused pod', () => {
  const events = read({
    namespace: 'shop',
    object: 'StatefulSet/web',
    reason: 'FailedCreate',
    message: 'no',
    last: NOW - HOUR,
  });
  expect(codesOf({ events })).toEqual(['pods-unexplained']);
});

test('doctor prints the cause and its start time in the first line, and in JSON', () => {
  const report = reportOf({
    pods: read({ ...podWith({ isReady: false }), isReady: false }),
    workloads: workloadsWith(
      workload('linkerd-identity', { wanted: 0, ...STOPPED, scaled: { manager: 'kubectl', at: NOW - 2 * HOUR } }),
    ),
  });
  if (report === undefined) throw new Error('There is no report.');
  expect(doctorText(report)).toBe(`\
error [workload-scaled-down] Deployment linkerd/linkerd-identity is scaled to 0 by kubectl. Since 2026-11-26 10:00 UTC (2 h).
  Its part of the mesh does not work.
  so: error [identity-stopped] Identity cannot issue certificates. Since 2026-11-26 10:00 UTC (2 h).
  so: error [proxies-not-ready] shop has 1 pod with a proxy that is not ready: Deployment/web.
  Fix: run kubectl -n linkerd scale deployment/linkerd-identity --replicas=1
`);
  const [cause] = JSON.parse(doctorJson(report)).causes;
  expect(cause).toMatchObject({ code: 'workload-scaled-down', since: '2026-11-26T10:00:00.000Z', alsoCaused: [] });
  expect(cause.chain.map(({ code }: { readonly code: string }) => code)).toEqual([
    'identity-stopped',
    'proxies-not-ready',
  ]);
});
