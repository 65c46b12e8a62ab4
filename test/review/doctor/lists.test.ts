import { stringify } from 'yaml';
import { EXAMINED, EXAMINED_LISTS } from '../../../lib/review/doctor/lists';
import { CLUSTER_LISTS } from '../../../lib/review/live/lists';

const TIME = '2026-11-26T10:00:00Z';
const written = (fields: object, manager = 'kubectl') => [{ manager, time: TIME, fieldsV1: fields }];

test('a Deployment tells who scaled it, and that its pods are refused', () => {
  const observed = EXAMINED.workloads(
    {
      metadata: {
        namespace: 'linkerd',
        name: 'web',
        managedFields: [
          { manager: 'helm', time: '2026-01-01T00:00:00Z', fieldsV1: { 'f:spec': { 'f:replicas': {} } } },
          ...written({ 'f:spec': { 'f:replicas': {} } }),
        ],
      },
      spec: { replicas: 0 },
      status: {
        conditions: [{ type: 'ReplicaFailure', status: 'True', message: 'no\u001b[31m\nsecond', reason: 'x' }],
      },
    },
    'Deployment',
  );
  expect(observed).toMatchObject({
    wanted: 0,
    running: 0,
    scaled: { manager: 'kubectl', at: Date.parse(TIME) },
    refusal: { message: 'no\\u001b[31m second' },
  });
});

test.each<[string, object, object[]]>([
  ['waits for its image', { state: { waiting: { reason: 'ImagePullBackOff', message: 'no' } } }, [{ message: 'no' }]],
  [
    'crashes',
    {
      state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off' } },
      lastState: { terminated: { exitCode: 137, reason: 'OOMKilled' } },
    },
    [{ reason: 'CrashLoopBackOff', message: 'exit code 137 (OOMKilled)' }],
  ],
  ['has failed', { state: { terminated: { exitCode: 2, reason: 'Error' } } }, [{ reason: 'Error' }]],
  ['is done', { state: { terminated: { exitCode: 0, reason: 'Completed' } } }, []],
  ['is starting', { state: { waiting: { reason: 'ContainerCreating' } } }, []],
  ['runs, and is not ready', { state: { running: {} } }, []],
  ['is ready', { ready: true, state: { running: {} } }, []],
])('a container that %s is observed', (_that, status, troubled) => {
  const pod = EXAMINED.pods({ status: { containerStatuses: [{ name: 'main', ...status }] } }, 'Pod');
  expect(pod?.troubled).toEqual(troubled.map((one) => expect.objectContaining(one)));
});

test.each<[boolean, object]>([
  [true, { state: { running: {} } }],
  [true, { state: { terminated: { exitCode: 1 } } }],
  [true, { state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: { terminated: { exitCode: 1 } } }],
  [false, { state: { waiting: { reason: 'PodInitializing' } }, lastState: {} }],
  [false, {}],
])('a pod has started: %j', (hasStarted, status) => {
  for (const list of ['initContainerStatuses', 'containerStatuses']) {
    expect(EXAMINED.pods({ status: { [list]: [{}, status] } }, 'Pod')).toMatchObject({ hasStarted });
  }
});

test.each<[boolean, string, object]>([
  [true, 'StatefulSet', { spec: { replicas: 3 }, status: { replicas: 2 } }],
  [false, 'StatefulSet', { spec: { replicas: 3 }, status: { replicas: 3 } }],
  [false, 'StatefulSet', { spec: { replicas: 0 }, status: {} }],
  [true, 'Job', { spec: { parallelism: 2, completions: 5 }, status: { active: 1 } }],
  [true, 'Job', {}],
  [false, 'Job', { status: { active: 1 } }],
  [false, 'Job', { status: { conditions: [{ type: 'Complete', status: 'True' }] } }],
  [false, 'Job', { status: { conditions: [{ type: 'Suspended', status: 'True' }] } }],
])('whether a controller lacks pods is %j for a %s of %j', (lacksPods, kind, object) => {
  expect(EXAMINED.controllers(object, kind)).toMatchObject({ kind, lacksPods });
});

test.each<[string | undefined, string, object]>([
  ['web', 'AuthorizationPolicy', { targetRef: { kind: 'Server', name: 'web' } }],
  [undefined, 'AuthorizationPolicy', { targetRef: { kind: 'HTTPRoute', name: 'web' } }],
  [undefined, 'AuthorizationPolicy', { targetRef: { kind: 'Namespace', name: 'web' } }],
  ['web', 'ServerAuthorization', { server: { name: 'web' } }],
  [undefined, 'ServerAuthorization', { server: { selector: {} } }],
])('the Server %j is that of a %s with %j', (server, kind, spec) => {
  const metadata = { namespace: 'shop', name: 'a' };
  expect(EXAMINED.authorizations({ metadata, spec }, kind)).toEqual({ namespace: 'shop', ...(server && { server }) });
});

test('a quota tells which of its resources are exhausted', () => {
  const status = { hard: { pods: '0', 'requests.cpu': '2', secrets: '5' }, used: { pods: '3', 'requests.cpu': '2' } };
  expect(EXAMINED.quotas({ status }, 'ResourceQuota')?.exhausted).toEqual(['pods 0', 'requests.cpu 2']);
});

test('only webhooks that are asked about new pods catch them', () => {
  const hook = (rule: object, others: object = {}) => ({ rules: [{ apiGroups: [''], ...rule }], ...others });
  const webhook = EXAMINED.webhooks(
    {
      webhooks: [
        hook({ resources: ['pods'], operations: ['CREATE'] }),
        hook({ resources: ['*'], operations: ['*'] }, { failurePolicy: 'Ignore' }),
        hook({ resources: ['pods'], operations: ['UPDATE'] }),
        hook({ resources: ['pods/exec'], operations: ['CREATE'] }),
        {},
      ],
    },
    'MutatingWebhookConfiguration',
  );
  expect(webhook?.hooks.map(({ catchesPods, isFailing }) => [catchesPods, isFailing])).toEqual([
    [true, true],
    [true, false],
    [false, true],
    [false, true],
    [false, true],
  ]);
});

test('a request that was refused is kept with its revision, and one that waits is not', () => {
  const request = (conditions: object[]) =>
    EXAMINED.requests(
      {
        metadata: {
          annotations: {
            'cert-manager.io/certificate-name': 'web',
            'cert-manager.io/certificate-revision': '7',
          },
        },
        status: { conditions },
      },
      'CertificateRequest',
    );
  expect(request([{ type: 'Ready', status: 'False', reason: 'Failed', message: 'no' }])).toMatchObject({
    revision: 7,
    refusal: { reason: 'Failed', message: 'no' },
  });
  expect(request([{ type: 'Ready', status: 'False', reason: 'Pending' }])).toBeUndefined();
});

test.each<[string, unknown, string | undefined]>([
  ['of Linkerd itself', { identity: { issuer: { scheme: 'linkerd.io/tls', tls: { crtPEM: 'PEM' } } } }, 'PEM'],
  ['of cert-manager', { identity: { issuer: { scheme: 'kubernetes.io/tls', tls: { crtPEM: 'PEM' } } } }, undefined],
  ['that is no map', 'x', undefined],
])('the issuer %s is read from the values of an installation', (_of, values, issuer) => {
  const data = { values: stringify(values) };
  expect(EXAMINED.installed({ metadata: { namespace: 'linkerd' }, data }, 'ConfigMap')?.issuer).toBe(issuer);
});

test.each(['%password \u001b[2J', 'identity: !password \u001b[2J', '? { password: x }\n: y'])(
  'the values of an installation are quoted in no warning of the process: %j',
  (values) => {
    const warnings = jest.spyOn(process, 'emitWarning').mockReturnValue();
    EXAMINED.installed({ data: { values } }, 'ConfigMap');
    expect(warnings.mock.calls).toEqual([]);
    warnings.mockRestore();
  },
);

test.each([undefined, null, 7, '', {}, { metadata: null, spec: [], status: 'x' }, { metadata: { labels: { a: 1 } } }])(
  'an object of another shape, such as %j, is taken as one without fields',
  (object) => {
    for (const name of EXAMINED_LISTS) {
      for (const { kind } of CLUSTER_LISTS[name].resources) expect(() => EXAMINED[name](object, kind)).not.toThrow();
    }
  },
);
