import { DAY, HOUR, MINUTE } from '#base/time-units';
import { lastingEvents } from '#lib/review/doctor/events';
import { meshIn } from '#lib/review/doctor/mesh';
import type { DoctorObservation } from '#lib/review/live/observation';
import type { ObservedEvent } from '#lib/review/live/workloads';
import { issueCertificate } from '../../support/cluster/certificates';
import {
  CONTROL_PLANE,
  HEALTHY,
  NOW,
  pod,
  ROOT,
  read,
  request,
  troubledPod,
  UNREAD,
  workload,
} from '../live/healthy-mesh';

type Reason = Parameters<typeof lastingEvents>[0];
type Changes = Partial<DoctorObservation>;

const AT = NOW - 5 * MINUTE;
const OBJECTS: Readonly<Record<Reason, string>> = {
  FailedCreatePodSandBox: 'shop Pod/web-1',
  FailedMount: 'shop Pod/web-1',
  FailedCreate: 'shop Job/web',
  IssuerUpdateSkipped: 'linkerd Deployment/linkerd-identity',
  IssuerValidationFailed: 'linkerd Deployment/linkerd-identity',
};

const waiting = troubledPod('web', { created: AT - MINUTE }, 'shop');
const identity = { ...troubledPod('linkerd-identity', { created: AT - HOUR }), isReady: true };
const job = { kind: 'Job', namespace: 'shop', name: 'web', lacksPods: true };

/** Clusters in which the state that an Event reports still lasts. */
const LASTING: Readonly<Record<Reason, Changes>> = {
  FailedCreatePodSandBox: { pods: read(waiting) },
  FailedMount: { pods: read(waiting) },
  FailedCreate: { pods: read(), controllers: read(job) },
  IssuerUpdateSkipped: { pods: read(identity) },
  IssuerValidationFailed: { pods: read(identity) },
};

function counts(reason: Reason, changes: Changes, event: Partial<ObservedEvent> = {}): boolean {
  const [namespace = '', object = ''] = OBJECTS[reason].split(' ');
  const events = read({ namespace, object, reason, message: 'why', last: AT, ...event });
  const seen = { ...HEALTHY, ...LASTING[reason], ...changes, events };
  const mesh = meshIn(seen, undefined);
  if (mesh === undefined) throw new Error('There is no mesh.');
  return lastingEvents(reason, { mesh, seen, now: NOW, kubectl: 'kubectl' }).length > 0;
}

test.each(Object.keys(OBJECTS) as Reason[])('an Event %s counts while the state that it reports lasts', (reason) => {
  expect(counts(reason, {})).toBe(true);
});

const started = AT + MINUTE;
const issuerOf = (start: number) => ({
  requests: read(
    request(
      'linkerd-identity-issuer',
      issueCertificate({
        commonName: 'identity',
        ca: true,
        issuer: ROOT,
        notBefore: new Date(start),
        notAfter: new Date(NOW + DAY),
      }).cert,
    ),
  ),
});

test.each<[Reason, string, Changes]>([
  ['FailedMount', 'the pod is gone', { pods: read() }],
  ['FailedMount', 'another pod has its name', { pods: read({ ...waiting, created: started }) }],
  ['FailedCreatePodSandBox', 'one of its containers has started', { pods: read({ ...waiting, hasStarted: true }) }],
  ['FailedMount', 'one of its containers has started', { pods: read({ ...waiting, hasStarted: true }) }],
  ['FailedMount', 'it is ready', { pods: read({ ...waiting, isReady: true }) }],
  ['FailedMount', 'it has ended', { pods: read({ ...waiting, isOver: true }) }],
  ['FailedCreate', 'the Job is complete', { controllers: read({ ...job, lacksPods: false }) }],
  ['FailedCreate', 'the Job is gone', { controllers: read() }],
  [
    'FailedCreate',
    'a pod was created since',
    { pods: read({ ...waiting, workload: 'Job/web', created: started, isOver: true }) },
  ],
  ['IssuerUpdateSkipped', 'identity has restarted', { pods: read({ ...identity, created: started }) }],
  ['IssuerUpdateSkipped', 'another issuer was issued', issuerOf(started)],
  ['IssuerValidationFailed', 'identity has restarted', { pods: read({ ...identity, created: started }) }],
  [
    'IssuerValidationFailed',
    'a proxy got a certificate',
    { pods: read(identity, { ...pod(), proxy: { isReady: true }, created: started }) },
  ],
])('an Event %s does not count once %s', (reason, _what, changes) => expect(counts(reason, changes)).toBe(false));

test('an Event that no longer repeats does not count', () => {
  for (const reason of ['FailedCreatePodSandBox', 'FailedMount', 'FailedCreate', 'IssuerValidationFailed'] as const) {
    expect([reason, counts(reason, {}, { last: NOW - 30 * MINUTE })]).toEqual([reason, false]);
  }
  expect(counts('IssuerUpdateSkipped', {}, { last: NOW - 30 * MINUTE })).toBe(true);
});

test('an Event about a DaemonSet counts while it has fewer pods than nodes', () => {
  const daemonSet = (ready: number) =>
    read(workload('web', { kind: 'DaemonSet', namespace: 'shop', labels: {}, wanted: 3, ready }), ...CONTROL_PLANE);
  const about = (workloads: DoctorObservation['workloads']) =>
    counts('FailedCreate', { workloads }, { object: 'DaemonSet/web' });
  expect([about(daemonSet(2)), about(daemonSet(3)), about(read(...CONTROL_PLANE))]).toEqual([true, false, false]);
});

test('an Event about a controller counts if the controller was not read or is of another kind', () => {
  for (const controllers of UNREAD) expect(counts('FailedCreate', { controllers })).toBe(true);
  expect(counts('FailedCreate', {}, { object: 'Other/web' })).toBe(true);
  expect(counts('FailedCreate', {}, { object: 'ReplicaSet/web' })).toBe(false);
});
