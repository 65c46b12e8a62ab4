import { App, Chart } from 'cdk8s';
import { LinkerdCni, Prometheus, ReconcilerOperator, Viz } from '#lib';
import { manifest } from '#lib/gitops/tree/manifest';
import { type Build, MAX_OF_ONE, mesh, rightPlatform } from '../support/bad-input-fixture';
import { validate } from '../support/findings';

const { refused } = rightPlatform();

/** What types cannot know, or were told to let through. */
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
const operator =
  (props: object): Build =>
  (cluster) =>
    void new ReconcilerOperator(cluster, 'operator', untyped({ controlPlane: mesh(cluster).controlPlane, ...props }));

// What the API server alone refused: only by its own code, or by the form of its numbers.
const MISTAKES: readonly (readonly [name: string, at: string, build: Build, key: string, parameters: object])[] = [
  [
    'a label of pods',
    'home/linkerd',
    controlPlane({ podLabels: { team: 'a b' } }),
    'field-refused/invalid',
    { field: 'spec.template.metadata.labels.team', value: '"a b"' },
  ],
  [
    'an annotation of pods',
    'home/linkerd',
    controlPlane({ podAnnotations: { 'a b': 'c' } }),
    'field-refused/invalid-key',
    { field: 'spec.template.metadata.annotations', value: '"a b"', rule: 'label-key' },
  ],
  [
    'a negative count of replicas',
    'home/linkerd',
    controlPlane({ controllerReplicas: -1 }),
    'injected-value-refused/range',
    { field: 'values.controllerReplicas', value: '-1' },
  ],
  [
    'no way to update',
    'home/linkerd',
    controlPlane({ deploymentStrategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } }),
    'field-refused/invalid',
    { field: 'spec.strategy.rollingUpdate.maxUnavailable', value: '0' },
  ],
  [
    'a rolling update of what is recreated',
    'home/linkerd',
    controlPlane({ deploymentStrategy: { type: 'Recreate' } }),
    'field-refused/forbidden',
    { field: 'spec.strategy.rollingUpdate', rule: 'update-type', type: 'Recreate' },
  ],
  [
    'a key of nodeSelector',
    'home/linkerd',
    controlPlane({ nodeSelector: { 'a b': 'c' } }),
    'field-refused/invalid-key',
    { field: 'spec.template.spec.nodeSelector', value: '"a b"', rule: 'label-key' },
  ],
  [
    'a value of nodeSelector',
    'home/linkerd',
    controlPlane({ nodeSelector: { disk: 'a/b' } }),
    'field-refused/invalid',
    { field: 'spec.template.spec.nodeSelector.disk', value: '"a/b"' },
  ],
  [
    'a toleration for a time, of all effects',
    'home/linkerd',
    controlPlane({ tolerations: [{ key: 'a', operator: 'Exists', tolerationSeconds: 10 }] }),
    'field-refused/forbidden',
    { field: 'spec.template.spec.tolerations[0].tolerationSeconds' },
  ],
  [
    'a toleration of all values and of one',
    'home/linkerd',
    controlPlane({ tolerations: [{ key: 'a', operator: 'Exists', value: 'b' }] }),
    'field-refused/forbidden',
    { field: 'spec.template.spec.tolerations[0].value', rule: 'any-value' },
  ],
  [
    'the name of a PriorityClass',
    'home/linkerd',
    controlPlane({ priorityClassName: 'Very High' }),
    'field-refused/invalid',
    { field: 'spec.template.spec.priorityClassName', value: '"Very High"' },
  ],
  [
    'the name of a RuntimeClass',
    'home/linkerd',
    controlPlane({ runtimeClassName: 'g_visor' }),
    'field-refused/invalid',
    { field: 'spec.template.spec.runtimeClassName', value: '"g_visor"' },
  ],
  [
    'a budget of more than all',
    'home/linkerd',
    controlPlane({ enablePodDisruptionBudget: true, controller: { podDisruptionBudget: { maxUnavailable: '150%' } } }),
    'field-refused/invalid',
    { field: 'spec.maxUnavailable', value: '"150%"' },
  ],
  [
    'a user id beyond 31 bits',
    'home/linkerd',
    controlPlane({ controllerUID: 2 ** 31 }),
    'field-refused/invalid',
    { field: expect.stringMatching(/runAsUser$/), value: '2147483648' },
  ],
  [
    'an affinity with nothing to compare with',
    'home/linkerd',
    controlPlane({
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: [] }] }],
        },
      },
    }),
    'field-refused/required',
    { field: expect.stringMatching(/matchExpressions\[0\].values$/), rule: 'operator-values', operator: 'In' },
  ],
  [
    'a toleration of Viz',
    'home/viz',
    viz({ tolerations: [{ operator: 'Equal' }] }),
    'field-refused/invalid',
    { field: 'spec.template.spec.tolerations[0].operator' },
  ],
  [
    'a label of the CNI plugin',
    'home/cni',
    cni({ podLabels: { team: '-' } }),
    'field-refused/invalid',
    { field: 'spec.template.metadata.labels.team', value: '"-"' },
  ],
  [
    'more requested of the operator than it may use',
    'home/operator',
    operator({ resources: { memory: { request: '2Gi', limit: '1Gi' } } }),
    'request-over-limit',
    { field: 'resources.memory', request: '2Gi', limit: '1Gi' },
  ],
];

test.each(MISTAKES)('%s', (_, at, build, ...[key, parameters]) => {
  const problems = refused(build);
  const [code, cause] = key.split('/');
  expect(problems[0]).toMatchObject({ path: expect.stringMatching(`^${at}`), code, parameters });
  expect(problems[0]?.cause).toBe(cause);
  expect(problems.length).toBeLessThanOrEqual(MAX_OF_ONE);
});

test('a variable that is set twice', () => {
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
  // In the pods with policies and webhooks the proxy is another one of the init containers.
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
    'ConfigMap map: metadata.annotations are 262145 bytes',
  ],
  ['a ConfigMap over 1 MiB', map({ data: { a: 'ä'.repeat(524_289) } }), 'data has 1048578 bytes'],
  [
    'a Secret over 1 MiB',
    { ...map({ data: { a: Buffer.alloc(1_048_577).toString('base64') } }), kind: 'Secret' },
    'data has 1048577 bytes',
  ],
  ['a key of a ConfigMap', map({ data: { 'a b': '' } }), 'a b'],
  ['a label', map({}, { labels: { a: 'b c' } }), 'b c'],
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
])('in a plain App: %s', (_, object, says) => {
  const chart = new Chart(new App(), 'chart');
  const made = manifest(chart, 'object', object);
  expect(validate(made).join('\n')).toContain(says);
});
