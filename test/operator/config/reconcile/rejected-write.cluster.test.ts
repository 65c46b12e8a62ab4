import { setTimeout as sleep } from 'node:timers/promises';
import type { Condition } from '#base/conditions';
import { isRefusal } from '#controller-runtime/client/api-error';
import { isSameRejection, rejectedWrite, reportedRejection } from '#operator/src/config/reconcile/write-status';
import { type Cluster, sharedCluster } from '#test/support/cluster/cluster';
import { type KubeObject, ref } from '#test/support/cluster/objects';
import { apiError } from '#test/support/controller-runtime/api-error';
import { linkerdConfig } from '#test/support/operator/config-fixture';
import { DEBUG, INSTALLED, type Mesh, meshIn, operatedMesh, WANTS_DEBUG } from '#test/support/operator/configured-mesh';
import type { OperatorInstallation } from '#test/support/operator/operator-installation';
import type { OperatorProcess } from '#test/support/operator/operator-process';

const error = (status: number, message = 'no') => apiError(status, { message });

test.each([
  [400, true],
  [403, true],
  [422, true],
  [404, false],
  [409, false],
  [429, false],
  [500, false],
])('whether the operator treats status %i as a refusal: %s', (status, expected) => {
  expect(isRefusal(error(status))).toBe(expected);
});

test('the operator does not treat a request without an answer as a refusal', () => {
  expect(isRefusal(new Error('connect ECONNREFUSED'))).toBe(false);
});

describe('the operator treats two refusals as', () => {
  const refused = rejectedWrite(error(403, 'PATCH /api/v1/x: 403: denied at 12:00:01'));

  test.each([
    ['the same if only the times in their messages differ', 'PATCH /api/v1/x: 403: denied at 12:00:02: again', true],
    ['different if their requests differ', 'GET /api/v1/x: 403: denied at 12:00:01', false],
    ['different if their status codes differ', 'PATCH /api/v1/x: 422: denied at 12:00:01', false],
  ])('%s', (_name, message, expected) => {
    expect(isSameRejection(refused, rejectedWrite(error(403, message)))).toBe(expected);
  });
});

describe('the status of a LinkerdConfig reports a refusal', () => {
  const degraded: Condition = {
    type: 'Degraded',
    status: 'True',
    reason: 'Refused',
    message: 'no',
    observedGeneration: 1,
    lastTransitionTime: '2026-11-01T00:00:00Z',
  };
  const tells = (condition: Condition) => reportedRejection(linkerdConfig({ status: { conditions: [condition] } }));

  test('while the refusal is the reason of Degraded', () => {
    expect(tells(degraded)).toEqual({ reason: 'Refused', message: 'no' });
    expect(tells({ ...degraded, status: 'False' })).toBeUndefined();
    expect(tells({ ...degraded, reason: 'RolloutStuck' })).toBeUndefined();
    expect(reportedRejection(linkerdConfig())).toBeUndefined();
  });

  test('only for its present spec', () => expect(tells({ ...degraded, observedGeneration: 0 })).toBeUndefined());
});

describe('the operator reports and retries a request that the API server refuses:', () => {
  let cluster: Cluster;
  let operator: OperatorInstallation & OperatorProcess;
  let mesh: Mesh;

  beforeAll(async () => {
    cluster = await sharedCluster();
    ({ mesh, operator } = await operatedMesh(cluster));
  });

  beforeEach(() => mesh.install(INSTALLED));
  afterEach(() => mesh.clear());
  afterAll(() => operator.stop());

  async function message(type: string): Promise<string> {
    const { status } = await cluster.get(ref('config.linkerd.io/v1alpha1', 'LinkerdConfig', 'mesh'));
    return status.conditions.find((condition: { type: string }) => condition.type === type).message;
  }

  async function attempts(): Promise<number> {
    return (await operator.metric('controller_runtime_reconcile_errors_total{controller="linkerd-config"}')) ?? 0;
  }

  /** The LinkerdConfig does not change with each retry. */
  async function staysAsItIs(): Promise<void> {
    const version = async () =>
      (await cluster.get(ref('config.linkerd.io/v1alpha1', 'LinkerdConfig', 'mesh'))).metadata.resourceVersion;
    const first = await attempts();
    await cluster.eventually(async () => expect(await attempts()).toBeGreaterThan(first + 2));
    const [before, count] = [await version(), await attempts()];
    await cluster.eventually(async () => expect(await attempts()).toBeGreaterThan(count + 1));
    expect(await version()).toBe(before);
  }

  /** Denies the operator's requests for this object by a policy during `work`. */
  async function whileDenied(object: KubeObject, resource: string, work: () => Promise<void>): Promise<void> {
    const name = `hands-off-${resource}-${mesh.namespace}`;
    const [apiGroup] = object.apiVersion.includes('/') ? object.apiVersion.split('/') : [''];
    const resourceRules = [
      { apiGroups: [apiGroup], apiVersions: ['v1'], operations: ['UPDATE'], resources: [resource] },
    ];
    const validations = [{ expression: `request.userInfo.username != '${operator.user}'`, message: 'hands off' }];
    const policy = {
      ...ref('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', name),
      spec: { matchConstraints: { resourceRules }, validations },
    };
    const binding = {
      ...ref('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicyBinding', name),
      spec: {
        policyName: name,
        validationActions: ['Deny'],
        matchResources: { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': mesh.namespace } } },
      },
    };
    const token = await cluster.serviceAccountToken(operator.namespace, 'linkerd-reconciler');
    const attempt = () =>
      cluster.as({ token }).patch(object, { metadata: { labels: { try: 'it' } } }, { dryRun: true });
    await cluster.applyAll([policy, binding]);
    try {
      await cluster.eventually(() => expect(attempt()).rejects.toThrow('hands off'));
      await work();
    } finally {
      for (const it of [binding, policy]) await cluster.delete(it);
      await cluster.eventually(attempt);
    }
  }

  test('to read a ConfigMap', async () => {
    await meshIn(cluster, mesh.namespace, 'linkerd-config-blue').configure('mesh', { values: WANTS_DEBUG });
    await mesh.reaches('mesh', 'Degraded=True Refused');
    expect(await mesh.condition('mesh', 'Ready')).toBe('False Refused');
    expect(await message('Degraded')).toMatch(/configmaps "linkerd-config-blue" is forbidden/);
    await staysAsItIs();
  });

  test('to write a ConfigMap', async () => {
    await mesh.configure('mesh');
    await mesh.reaches('mesh', 'Ready=True InForce');
    await whileDenied(await mesh.configMap(), 'configmaps', async () => {
      await cluster.patch(await mesh.configMap(), { data: { values: DEBUG } }, { fieldManager: 'kubectl-edit' });
      await mesh.reaches('mesh', 'Degraded=True Refused');
      expect(await message('Ready')).toMatch(/^PATCH .*linkerd-config.*hands off/);
      await staysAsItIs();
    });
    await mesh.reaches('mesh', 'Ready=True InForce');
    expect(await mesh.values()).toBe(INSTALLED);
  });

  test('to restart an injector', async () => {
    const config = await mesh.configure('mesh');
    await mesh.reaches('mesh', 'Ready=True InForce');
    const deployment = await cluster.get(ref('apps/v1', 'Deployment', 'linkerd-proxy-injector', mesh.namespace));
    await whileDenied(deployment, 'deployments', async () => {
      const first = await attempts();
      await cluster.patch(config, { spec: { values: WANTS_DEBUG } });
      await mesh.reaches('mesh', 'Degraded=True Refused');
      expect(await message('Degraded')).toMatch(/linkerd-proxy-injector.*hands off/);
      await staysAsItIs();
      expect(await mesh.condition('mesh', 'Degraded')).toBe('True Refused');
      // After ten attempts, the backoff alone is seconds.
      await cluster.eventually(async () => expect(await attempts()).toBeGreaterThan(first + 9));
      const before = await attempts();
      for (let time = 0; time < 12; time += 1) {
        await cluster.namespace('elsewhere');
        await sleep(150);
      }
      expect(await attempts()).toBeLessThan(before + 6);
    });
    await mesh.reaches('mesh', 'Ready=True InForce');
  });
});
