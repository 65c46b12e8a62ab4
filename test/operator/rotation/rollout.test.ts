import {
  certificatesHash,
  isRestartedBy,
  type RotatedDeployment,
  restartPatch,
  rolloutStep,
} from '#operator/src/rotation/rollout';

const COMPLETE: Required<Pick<RotatedDeployment, 'status'>>['status'] = {
  observedGeneration: 3,
  replicas: 3,
  updatedReplicas: 3,
  availableReplicas: 3,
};
const STUCK = [
  { type: 'Available', reason: 'MinimumReplicasAvailable' },
  { type: 'Progressing', reason: 'ProgressDeadlineExceeded', message: 'ReplicaSet has timed out' },
];

function deployment(
  status?: RotatedDeployment['status'],
  spec: Partial<RotatedDeployment['spec']> = {},
): RotatedDeployment {
  return {
    metadata: { namespace: 'linkerd', name: 'linkerd-identity', generation: 3 },
    spec: { replicas: 3, template: {}, ...spec },
    status,
  };
}

describe('a rollout', () => {
  test.each([
    ['its status is missing', undefined, 'its controller has observed the change'],
    ['the change is not observed', { ...COMPLETE, observedGeneration: 2 }, 'its controller has observed the change'],
    ['new pods are missing', { ...COMPLETE, updatedReplicas: 2 }, '3 new pods exist (2 do)'],
    ['old pods run', { ...COMPLETE, replicas: 4 }, '1 old pods have ended'],
    ['new pods are not available', { ...COMPLETE, availableReplicas: 2 }, '3 new pods are available (2 are)'],
  ])('is in progress while %s', (_, status, until) => {
    expect(rolloutStep(deployment(status), false)).toEqual({ kind: 'wait', until });
    expect(rolloutStep(deployment(status), true)).toMatchObject({
      kind: 'fail',
      reason: 'RolloutTimedOut',
      message: expect.stringContaining(until),
    });
  });

  test('of a Deployment that is scaled to zero is complete', () => {
    expect(rolloutStep(deployment({ observedGeneration: 3 }, { replicas: 0 }), false)).toEqual({ kind: 'complete' });
  });

  test('fails as soon as its progress deadline has passed', () => {
    const status = { ...COMPLETE, updatedReplicas: 1, conditions: STUCK };
    expect(rolloutStep(deployment(status), false)).toEqual({
      kind: 'fail',
      reason: 'RolloutFailed',
      message: 'the rollout is stuck: ReplicaSet has timed out',
    });
  });
});

describe('the hash of certificates', () => {
  const hash = certificatesHash(
    new Map([
      ['a', '1'],
      ['b', '2'],
    ]),
  );

  test('is a short hexadecimal string that does not depend on their order', () => {
    expect(hash).toMatch(/^[0-9a-f]{16}$/);
    expect(
      certificatesHash(
        new Map([
          ['b', '2'],
          ['a', '1'],
        ]),
      ),
    ).toBe(hash);
  });

  test.each([
    [
      [
        ['a', '1'],
        ['b', '3'],
      ],
    ],
    [
      [
        ['a', '2'],
        ['b', '1'],
      ],
    ],
    [[['a', '1']]],
  ] as [string, string][][][])('changes with each certificate: %j', (entries) => {
    expect(certificatesHash(new Map(entries))).not.toBe(hash);
  });
});

test('a restart sets one annotation of the template, and another that records the run', () => {
  const template = { metadata: { annotations: { 'cdk8s-linkerd/certificates': 'abc' } } };
  expect(restartPatch('abc', undefined)).toEqual({ type: 'merge', body: { spec: { template } } });
  expect(restartPatch('abc', 'run-1')).toEqual({
    type: 'merge',
    body: { metadata: { annotations: { 'cdk8s-linkerd/rotation': 'run-1' } }, spec: { template } },
  });
});

test.each([
  ['run-1', { 'cdk8s-linkerd/rotation': 'run-1' }, true],
  ['run-2', { 'cdk8s-linkerd/rotation': 'run-1' }, false],
  ['run-1', undefined, false],
  [undefined, {}, false],
])('whether the run %s restarted a Deployment with the annotations %j: %s', (runId, annotations, expected) => {
  const subject = deployment();
  expect(isRestartedBy(runId, { ...subject, metadata: { ...subject.metadata, annotations } })).toBe(expected);
});
