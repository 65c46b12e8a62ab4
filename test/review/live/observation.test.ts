import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { observeApplication, observeApplicationSet } from '#lib/review/live/applications';
import { observeInstallation, observeRequest, observeWebhook } from '#lib/review/live/certificates';
import { observeAuthorization } from '#lib/review/live/mesh';
import {
  ARGOCD_LISTS,
  CLUSTER_LISTS,
  type ClusterListName,
  DOCTOR_LISTS,
  readingRules,
  STATUS_LISTS,
} from '#lib/review/live/observation';
import { observePod } from '#lib/review/live/pods';
import { observeController, observeEndpoints, observeQuota, observeWorkload } from '#lib/review/live/workloads';

const ALL = Object.keys(CLUSTER_LISTS) as ClusterListName[];

test('each list of an observation has a command that reads it', () => {
  expect([...ALL].sort()).toEqual([...new Set([...DOCTOR_LISTS, ...STATUS_LISTS, ...ARGOCD_LISTS])].sort());
});

test('commands read no Secrets, and may only list objects', () => {
  const rules = readingRules(ALL);
  expect(rules.flatMap(({ resources }) => resources)).not.toContain('secrets');
  expect(new Set(rules.flatMap(({ verbs }) => verbs))).toEqual(new Set(['list']));
});

test('the Role of a command has each group and each resource once', () => {
  expect(readingRules(['bundles', 'installed', 'pods', 'workloads'])).toEqual([
    { apiGroups: [''], resources: ['configmaps', 'pods'], verbs: ['list'] },
    { apiGroups: ['apps'], resources: ['deployments', 'daemonsets'], verbs: ['list'] },
  ]);
});

test.each(['status', 'doctor'])('the reference of permissions has the generated Role of %s', (command) => {
  const page = join(__dirname, '..', '..', '..', 'docs', 'reference', 'permissions.md');
  expect(readFileSync(page, 'utf8')).toContain(`<!-- npm run docs ${command}-role -->\n\`\`\`yaml\n`);
});

test.each([
  undefined,
  null,
  7,
  'text',
  [],
  {},
  { metadata: null, spec: [], status: 'x' },
  { metadata: { annotations: [], labels: { a: 1 } } },
])('an observation treats an object such as %j as one without fields', (object) => {
  for (const { observe, resources } of Object.values(CLUSTER_LISTS)) {
    for (const { kind } of resources) expect(() => observe(object, kind)).not.toThrow();
  }
});

const pod = (changes: { metadata?: object; spec?: object; status?: object } = {}) => ({
  metadata: {
    namespace: 'shop',
    name: 'web-6c8b4f-x',
    creationTimestamp: '2026-11-26T11:00:00Z',
    labels: { 'pod-template-hash': '6c8b4f' },
    annotations: { 'linkerd.io/proxy-version': 'edge-26.8.3', 'linkerd.io/trust-root-sha256': 'abc' },
    ownerReferences: [{ kind: 'ReplicaSet', name: 'web-6c8b4f', controller: true }],
    ...changes.metadata,
  },
  spec: {
    containers: [{ name: 'app' }, { name: 'linkerd-proxy', image: 'cr.l5d.io/linkerd/proxy:edge-26.7.1' }],
    ...changes.spec,
  },
  status: { phase: 'Running', containerStatuses: [{ name: 'linkerd-proxy', ready: true }], ...changes.status },
});

test('an observation of a pod has its workload and its proxy', () => {
  expect(observePod(pod())).toEqual({
    namespace: 'shop',
    name: 'web-6c8b4f-x',
    workload: 'Deployment/web',
    created: Date.parse('2026-11-26T11:00:00Z'),
    isOver: false,
    isHostNetwork: false,
    proxy: { release: 'edge-26.8.3', roots: 'abc', isReady: true },
    labels: { 'pod-template-hash': '6c8b4f' },
    isReady: false,
    troubled: [],
    hasStarted: false,
  });
});

test.each([
  ['of a StatefulSet', { ownerReferences: [{ kind: 'StatefulSet', name: 'db', controller: true }] }, 'StatefulSet/db'],
  ['without a controller', { ownerReferences: [{ kind: 'Node', name: 'a' }] }, 'Pod/web-6c8b4f-x'],
  [
    'of a ReplicaSet without a Deployment',
    { ownerReferences: [{ kind: 'ReplicaSet', name: 'bare', controller: true }] },
    'ReplicaSet/bare',
  ],
])('an observation has the workload of a pod %s', (_of, metadata, expected) => {
  expect(observePod(pod({ metadata })).workload).toBe(expected);
});

test('a native sidecar is an init container, and without an annotation the tag of the image is the release', () => {
  const spec = {
    containers: [],
    initContainers: [{ name: 'linkerd-proxy', image: 'localhost:5000/proxy:stable-2.14.10@sha256:0' }],
  };
  const status = { containerStatuses: [], initContainerStatuses: [{ name: 'linkerd-proxy', ready: false }] };
  expect(observePod(pod({ metadata: { annotations: {} }, spec, status })).proxy).toEqual({
    release: 'stable-2.14.10',
    isReady: false,
  });
});

test('an observation keeps texts of a cluster short, on one line and without secrets', () => {
  const key = ['-----BEGIN PRIVATE KEY-----', 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC', '-----END PRIVATE KEY-----'].join(
    '\n',
  );
  const message = `a\nb\u001b[31m\u202e ${key} ${'long '.repeat(1000)}`;
  const { failure } = observeApplication({ status: { operationState: { phase: 'Failed', message } } });
  expect(failure?.message).toMatch(/^a b\\u001b\[31m\\u202e /);
  expect(failure?.message).not.toMatch(/MIIE|\p{Cc}|\u202e/u);
  expect(failure?.message.length).toBeLessThan(400);
});

test('an observation of an Application has its objects that are out of sync or unhealthy', () => {
  const resources = [
    { kind: 'Deployment', namespace: 'linkerd', name: 'a', status: 'Synced', health: { status: 'Healthy' } },
    { kind: 'Deployment', namespace: 'linkerd', name: 'b', status: 'OutOfSync' },
    { kind: 'Namespace', name: 'c', status: 'Synced', health: { status: 'Degraded' } },
    { kind: 'CronJob', namespace: 'linkerd', name: 'd', status: 'Synced', health: { status: 'Suspended' } },
  ];
  expect(observeApplication({ status: { resources } }).resources).toEqual(['Deployment linkerd/b', 'Namespace c']);
});

const rollout = (status: object) => ({
  metadata: { namespace: 'linkerd', name: 'a', generation: 2 },
  spec: {
    replicas: 3,
    template: { spec: { containers: [{ name: 'destination', image: 'cr.l5d.io/controller@sha256:dead' }] } },
  },
  status,
});

test.each([
  ['Deployment', { observedGeneration: 2, readyReplicas: 3, updatedReplicas: 1 }, 1],
  ['Deployment', { observedGeneration: 1, readyReplicas: 3, updatedReplicas: 3 }, 0],
  ['DaemonSet', { observedGeneration: 2, numberReady: 3, updatedNumberScheduled: 2 }, 2],
])('the observation of a %s with the status %j has the number of new pods %d', (kind, status, ready) => {
  expect(observeWorkload(rollout(status), kind)).toMatchObject({ ready, images: {} });
});

test.each([
  ['Synced', 'b', false],
  ['Synced', 'a', true],
  ['OutOfSync', 'b', true],
])('whether an Application that is %s has a failed sync of the revision %s: %p', (status, revision, counts) => {
  const sync = { status, revision: 'a' };
  const operationState = { phase: 'Failed', message: 'no', syncResult: { revision } };
  expect(observeApplication({ status: { sync, operationState } }).failure !== undefined).toBe(counts);
});

test('an observation of an Application omits conditions about objects that it does not have', () => {
  const conditions = ['SharedResourceWarning', 'OrphanedResourceWarning', 'SyncError'].map((type) => ({ type }));
  const { errors, warnings } = observeApplication({ status: { conditions } });
  expect([errors, warnings].map((list) => list.map(({ type }) => type))).toEqual([
    ['SyncError'],
    ['SharedResourceWarning'],
  ]);
});

test.each([
  ['ErrorOccurred', 'True', true],
  ['ErrorOccurred', 'False', false],
  ['ResourcesUpToDate', 'True', false],
])('whether an ApplicationSet with the condition %s=%s has failed: %p', (type, status, hasFailed) => {
  const object = { metadata: { name: 'a' }, status: { conditions: [{ type, status, message: 'no' }] } };
  expect(observeApplicationSet(object).error !== undefined).toBe(hasFailed);
});

const TIME = '2026-11-26T10:00:00Z';
const written = (fields: object, manager = 'kubectl') => [{ manager, time: TIME, fieldsV1: fields }];

test('an observation of a Deployment has the client that scaled it, and the refusal of its pods', () => {
  const observed = observeWorkload(
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
])('an observation has a container that %s', (_that, status, troubled) => {
  const pod = observePod({ status: { containerStatuses: [{ name: 'main', ...status }] } });
  expect(pod.troubled).toEqual(troubled.map((one) => expect.objectContaining(one)));
});

test.each<[boolean, object]>([
  [true, { state: { running: {} } }],
  [true, { state: { terminated: { exitCode: 1 } } }],
  [true, { state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: { terminated: { exitCode: 1 } } }],
  [false, { state: { waiting: { reason: 'PodInitializing' } }, lastState: {} }],
  [false, {}],
])('whether a container of a pod has started: %j for %j', (hasStarted, status) => {
  for (const list of ['initContainerStatuses', 'containerStatuses']) {
    expect(observePod({ status: { [list]: [{}, status] } })).toMatchObject({ hasStarted });
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
])('whether a controller lacks pods: %j for a %s of %j', (lacksPods, kind, object) => {
  expect(observeController(object, kind)).toMatchObject({ kind, lacksPods });
});

test.each<[string | undefined, string, object]>([
  ['web', 'AuthorizationPolicy', { targetRef: { kind: 'Server', name: 'web' } }],
  [undefined, 'AuthorizationPolicy', { targetRef: { kind: 'HTTPRoute', name: 'web' } }],
  [undefined, 'AuthorizationPolicy', { targetRef: { kind: 'Namespace', name: 'web' } }],
  ['web', 'ServerAuthorization', { server: { name: 'web' } }],
  [undefined, 'ServerAuthorization', { server: { selector: {} } }],
])('the observed Server is %j for the %s with %j', (server, kind, spec) => {
  const metadata = { namespace: 'shop', name: 'a' };
  expect(observeAuthorization({ metadata, spec }, kind)).toEqual({ namespace: 'shop', ...(server && { server }) });
});

test.each<[boolean, string, object]>([
  [true, 'AuthorizationPolicy', { requiredAuthenticationRefs: [{ kind: 'MeshTLSAuthentication', name: 'a' }] }],
  [
    true,
    'AuthorizationPolicy',
    { requiredAuthenticationRefs: [{ kind: 'NetworkAuthentication' }, { kind: 'ServiceAccount' }] },
  ],
  [false, 'AuthorizationPolicy', { requiredAuthenticationRefs: [{ kind: 'NetworkAuthentication', name: 'a' }] }],
  [false, 'AuthorizationPolicy', { requiredAuthenticationRefs: [] }],
  [true, 'ServerAuthorization', { client: { meshTLS: { identities: ['*'] } } }],
  [false, 'ServerAuthorization', { client: { unauthenticated: true } }],
  [false, 'ServerAuthorization', { client: { meshTLS: { unauthenticatedTLS: true } } }],
])('whether only meshed clients are permitted: %j for the %s of %j', (isMeshed, kind, spec) => {
  expect(observeAuthorization({ spec }, kind).isMeshed ?? false).toBe(isMeshed);
});

test('an observation of a meshed pod has its policy, skipped ports and ports', () => {
  const [app, proxy] = [
    { name: 'app', ports: [{ name: 'hook', containerPort: 9443 }, { containerPort: 80 }] },
    { name: 'linkerd-proxy', env: [{ name: 'LINKERD2_PROXY_INBOUND_DEFAULT_POLICY', value: 'deny' }] },
  ];
  const inbound = (annotations: object, containers: object[] = [app, proxy]) =>
    observePod(pod({ metadata: { annotations }, spec: { containers } })).inbound;
  expect(inbound({})).toEqual({ policy: 'deny', ports: { hook: 9443 } });
  const annotations = {
    'config.linkerd.io/default-inbound-policy': 'audit',
    'config.linkerd.io/skip-inbound-ports': '25',
  };
  expect(inbound(annotations)).toEqual({ policy: 'audit', skipped: '25', ports: { hook: 9443 } });
  expect(inbound(annotations, [app])).toBeUndefined();
});

test('observations of an APIService and its slice contain the endpoint that the API server calls', () => {
  const service = { namespace: 'linkerd-viz', name: 'tap', port: 443 };
  expect(observeWebhook({ spec: { service } }, 'APIService').hooks).toEqual([
    { name: '', service: 'linkerd-viz/tap', isFailing: false, catchesPods: false },
  ]);
  expect(observeWebhook({ spec: { service: null } }, 'APIService').hooks).toEqual([]);
  const slice = {
    metadata: { namespace: 'shop', labels: { 'kubernetes.io/service-name': 'cnpg' } },
    ports: [{ port: 9443 }],
    endpoints: [{ targetRef: { kind: 'Pod', name: 'a' } }, { conditions: { ready: false }, targetRef: { name: 'b' } }],
  };
  expect(observeEndpoints(slice)).toEqual({ namespace: 'shop', service: 'cnpg', ready: 1, ports: [9443], pods: ['a'] });
});

test('an observation of a quota has its exhausted resources', () => {
  const status = { hard: { pods: '0', 'requests.cpu': '2', secrets: '5' }, used: { pods: '3', 'requests.cpu': '2' } };
  expect(observeQuota({ status }).exhausted).toEqual(['pods 0', 'requests.cpu 2']);
});

test('an observation has only the webhooks that the API server calls for new pods', () => {
  const hook = (rule: object, others: object = {}) => ({ rules: [{ apiGroups: [''], ...rule }], ...others });
  const webhook = observeWebhook(
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
  expect(webhook.hooks.map(({ catchesPods, isFailing }) => [catchesPods, isFailing])).toEqual([
    [true, true],
    [true, false],
    [false, true],
    [false, true],
    [false, true],
  ]);
});

test('an observation has refused requests with their revision, and no pending ones', () => {
  const request = (conditions: object[]) =>
    observeRequest({
      metadata: {
        annotations: { 'cert-manager.io/certificate-name': 'web', 'cert-manager.io/certificate-revision': '7' },
      },
      status: { conditions },
    });
  expect(request([{ type: 'Ready', status: 'False', reason: 'Failed', message: 'no' }])).toMatchObject({
    revision: 7,
    refusal: { reason: 'Failed', message: 'no' },
  });
  expect(request([{ type: 'Ready', status: 'False', reason: 'Pending' }])).toBeUndefined();
});

test.each<[string, unknown, string | undefined]>([
  ['with linkerd.io/tls', { identity: { issuer: { scheme: 'linkerd.io/tls', tls: { crtPEM: 'PEM' } } } }, 'PEM'],
  [
    'not with kubernetes.io/tls',
    { identity: { issuer: { scheme: 'kubernetes.io/tls', tls: { crtPEM: 'PEM' } } } },
    undefined,
  ],
  ['not from a text', 'x', undefined],
])('an observation reads the issuer from the values of an installation, %s', (_of, values, issuer) => {
  const data = { values: stringify(values) };
  expect(observeInstallation({ metadata: { namespace: 'linkerd' }, data }).issuer).toBe(issuer);
});

test.each(['%password \u001b[2J', 'identity: !password \u001b[2J', '? { password: x }\n: y'])(
  'no warning of the process quotes the values of an installation: %j',
  (values) => {
    const warnings = jest.spyOn(process, 'emitWarning').mockReturnValue();
    observeInstallation({ data: { values } });
    expect(warnings.mock.calls).toEqual([]);
    warnings.mockRestore();
  },
);
