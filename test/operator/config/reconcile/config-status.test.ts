import type { LinkerdConfigStatus } from '#operator/src/config/objects/linkerd-config';
import { type Outcome, statusOf } from '#operator/src/config/reconcile/config-status';
import { issueCertificate } from '#test/support/cluster/certificates';
import { linkerdConfig } from '#test/support/operator/config-fixture';

const NOW = new Date('2026-11-02T00:00:00Z');
const anchor = issueCertificate({
  commonName: 'root.linkerd.cluster.local',
  ca: true,
  notAfter: new Date('2036-01-01'),
});

const report = {
  status: { inProgress: [], workloads: [], unmanagedPods: { count: 0, pods: [] } },
  progressing: { status: false, reason: 'UpToDate', message: 'all is fresh' },
};
const inForce = {
  values: { linkerdVersion: 'edge-26.8.3', identityTrustAnchorsPEM: anchor.cert },
  valuesHash: 'cba',
  configHash: 'abc',
  adoptedHash: 'def',
};

function summary(outcome: Outcome, before?: LinkerdConfigStatus) {
  const status = statusOf(linkerdConfig({ generation: 3, status: before }), outcome, NOW);
  const conditions = status.conditions?.map((it) => `${it.type}=${it.status} ${it.reason}`);
  return { ...status, conditions };
}

test('a LinkerdConfig in force and up to date is ready', () => {
  expect(summary({ is: 'in-force', inForce, report })).toEqual({
    observedGeneration: 3,
    configHash: 'abc',
    valuesHash: 'cba',
    proxyVersion: 'edge-26.8.3',
    trustAnchors: [
      {
        subject: 'CN=root.linkerd.cluster.local',
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        notAfter: '2036-01-01T00:00:00.000Z',
      },
    ],
    ...report.status,
    conditions: [
      'Accepted=True Active',
      'Ready=True InForce',
      'Progressing=False UpToDate',
      'Degraded=False AsExpected',
    ],
  });
});

test('a LinkerdConfig with restarts in progress is not ready yet', () => {
  const progressing = { status: true, reason: 'Restarting', message: 'web' };
  expect(summary({ is: 'in-force', inForce, report: { ...report, progressing } }).conditions).toEqual([
    'Accepted=True Active',
    'Ready=False Restarting',
    'Progressing=True Restarting',
    'Degraded=False AsExpected',
  ]);
});

test('a LinkerdConfig with a stuck rollout is degraded and for that reason not ready', () => {
  const progressing = { status: true, reason: 'Restarting', message: 'web' };
  const degraded = { reason: 'RolloutStuck' as const, message: 'web' };
  expect(summary({ is: 'in-force', inForce, report: { ...report, progressing, degraded } }).conditions).toEqual([
    'Accepted=True Active',
    'Ready=False RolloutStuck',
    'Progressing=True Restarting',
    'Degraded=True RolloutStuck',
  ]);
});

test('a LinkerdConfig with a refused write is degraded and not ready, with the progress so far', () => {
  const progressing = { status: true, reason: 'RestartingInjector', message: 'injector' };
  const refusal = { reason: 'Refused', message: 'forbidden' };
  expect(summary({ is: 'in-force', inForce, report: { ...report, progressing }, refusal })).toMatchObject({
    configHash: 'abc',
    conditions: [
      'Accepted=True Active',
      'Ready=False Refused',
      'Progressing=True RestartingInjector',
      'Degraded=True Refused',
    ],
  });
});

test('a LinkerdConfig with impossible values is degraded and not accepted, and the former values stay in force', () => {
  const problem = { reason: 'InvalidValues', message: 'values.proxy is "abc"' };
  expect(summary({ is: 'failed', problem, isAccepted: false }, { configHash: 'abc' })).toEqual({
    configHash: 'abc',
    observedGeneration: 3,
    conditions: [
      'Accepted=False InvalidValues',
      'Ready=False InvalidValues',
      'Progressing=False InvalidValues',
      'Degraded=True InvalidValues',
    ],
  });
});

test('a conflicting LinkerdConfig is not accepted, has nothing in force, and is not degraded', () => {
  const acceptance = { accepted: false, reason: 'Conflict', message: 'other' } as const;
  expect(summary({ is: 'refused', acceptance }, { configHash: 'abc' })).toEqual({
    observedGeneration: 3,
    conditions: [
      'Accepted=False Conflict',
      'Ready=False Conflict',
      'Progressing=False Conflict',
      'Degraded=False Conflict',
    ],
  });
});
