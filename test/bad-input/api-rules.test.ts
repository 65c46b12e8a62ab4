import { App, Chart } from 'cdk8s';
import { LinkerdCni, Prometheus, ReconcilerOperator, Viz } from '#lib';
import { manifest } from '#lib/gitops/tree/manifest';
import { type Build, MAX_OF_ONE, mesh, rightPlatform } from '../support/bad-input-fixture';
import { validate } from '../support/findings';

const { refused } = rightPlatform();

/** Casts values of a type that the compiler would refuse. */
const untyped = (values: object) => values as never;

const controlPlane =
  (values: object): Build =>
  (cluster) =>
    void mesh(cluster, { controlPlane: { values: untyped(values) } });
const viz =
  (values: object): Build =>
  (cluster) =>
    void new Viz(cluster, 'viz', {
      controlPlane: mesh(cluster).controlPlane,
      prometheus: Prometheus.embedded(),
      values: untyped(values),
    });
const cni =
  (values: object): Build =>
  (cluster) => {
    mesh(cluster);
    new LinkerdCni(cluster, 'cni', { values: untyped(values) });
  };

const affinity = {
  requiredDuringSchedulingIgnoredDuringExecution: {
    nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: [] }] }],
  },
};
const budget = { podDisruptionBudget: { maxUnavailable: '150%' } };
const POD = 'spec.template.spec';

// Values that the imported schemas accept and the API server refuses.
test.each<[values: object, finding: string, field: string]>([
  [{ podLabels: { team: 'a b' } }, 'invalid', 'spec.template.metadata.labels.team'],
  [{ podAnnotations: { 'a b': 'c' } }, 'invalid-key', 'spec.template.metadata.annotations'],
  [
    { deploymentStrategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } },
    'invalid',
    'spec.strategy.rollingUpdate.maxUnavailable',
  ],
  [{ deploymentStrategy: { type: 'Recreate' } }, 'forbidden', 'spec.strategy.rollingUpdate'],
  [{ nodeSelector: { 'a b': 'c' } }, 'invalid-key', `${POD}.nodeSelector`],
  [{ nodeSelector: { disk: 'a/b' } }, 'invalid', `${POD}.nodeSelector.disk`],
  [
    { tolerations: [{ key: 'a', operator: 'Exists', tolerationSeconds: 10 }] },
    'forbidden',
    `${POD}.tolerations[0].tolerationSeconds`,
  ],
  [{ tolerations: [{ key: 'a', operator: 'Exists', value: 'b' }] }, 'forbidden', `${POD}.tolerations[0].value`],
  [{ priorityClassName: 'Very High' }, 'invalid', `${POD}.priorityClassName`],
  [{ runtimeClassName: 'g_visor' }, 'invalid', `${POD}.runtimeClassName`],
  [{ enablePodDisruptionBudget: true, controller: budget }, 'invalid', 'spec.maxUnavailable'],
  [{ controllerUID: 2 ** 31 }, 'invalid', 'runAsUser'],
  [{ nodeAffinity: affinity }, 'required', 'matchExpressions[0].values'],
])('synth refuses the values %j of the control plane: %s at %s', (values, cause, field) => {
  const problems = refused(controlPlane(values));
  expect(problems[0]).toMatchObject({ path: expect.stringMatching('^home/linkerd'), code: 'field-refused', cause });
  expect(problems[0]?.parameters).toMatchObject({ field: expect.stringContaining(field) });
  expect(problems.length).toBeLessThanOrEqual(MAX_OF_ONE);
});

test.each<[at: string, build: Build, code: string, field: string]>([
  ['home/linkerd', controlPlane({ controllerReplicas: -1 }), 'injected-value-refused', 'values.controllerReplicas'],
  ['home/viz', viz({ tolerations: [{ operator: 'Equal' }] }), 'field-refused', `${POD}.tolerations[0].operator`],
  ['home/cni', cni({ podLabels: { team: '-' } }), 'field-refused', 'spec.template.metadata.labels.team'],
  [
    'home/operator',
    (cluster) => {
      const resources = { memory: { request: '2Gi', limit: '1Gi' } };
      new ReconcilerOperator(cluster, 'operator', { controlPlane: mesh(cluster).controlPlane, resources });
    },
    'request-over-limit',
    'resources.memory',
  ],
])('synth reports a mistake first at %s', (at, build, code, field) => {
  const problems = refused(build);
  expect(problems[0]).toMatchObject({ path: expect.stringMatching(`^${at}`), code, parameters: { field } });
  expect(problems.length).toBeLessThanOrEqual(MAX_OF_ONE);
});

test('synth refuses a duplicate environment variable', () => {
  const additionalEnv = [
    { name: 'LEVEL', value: 'a' },
    { name: 'LEVEL', value: 'b' },
  ];
  const duplicate = {
    path: expect.stringMatching('^home/linkerd'),
    code: 'field-refused',
    cause: 'duplicate',
    parameters: { field: expect.stringMatching(/env\[\d+\]$/), value: 'name "LEVEL"' },
  };
  // In pods with policies and webhooks, the proxy has another index among the init containers.
  expect(refused(controlPlane({ proxy: { additionalEnv } }))).toMatchObject([duplicate, duplicate]);
});

const map = (data: object, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'map', ...metadata },
  ...data,
});

test.each<[string, Parameters<typeof manifest>[2], string]>([
  [
    'annotations over 256 KiB',
    map({}, { annotations: { a: 'x'.repeat(262_144) } }),
    'ConfigMap map: metadata.annotations has 262145 bytes',
  ],
  ['a ConfigMap over 1 MiB', map({ data: { a: 'ä'.repeat(524_289) } }), 'data has 1048578 bytes'],
  [
    'a Secret over 1 MiB',
    { ...map({ data: { a: Buffer.alloc(1_048_577).toString('base64') } }), kind: 'Secret' },
    'data has 1048577 bytes',
  ],
  ['an invalid key of a ConfigMap', map({ data: { 'a b': '' } }), 'a b'],
  ['an invalid label', map({}, { labels: { a: 'b c' } }), 'b c'],
  [
    'a volume of size 0',
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '0' } } },
    },
    'spec.resources.requests.storage is missing',
  ],
])('the validation of a plain App refuses %s', (_, object, says) => {
  const chart = new Chart(new App(), 'chart');
  const made = manifest(chart, 'object', object);
  expect(validate(made).join('\n')).toContain(says);
});
