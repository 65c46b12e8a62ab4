import { type Cluster, sharedCluster } from '../../support/cluster/cluster';
import { type KubeObject, ref } from '../../support/cluster/objects';
import { buildOperator } from './fixture';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await sharedCluster();
});

/** Kinds that every API server serves, and whose objects affect no other namespace. */
const APPLIED = [
  'Namespace',
  'ServiceAccount',
  'ConfigMap',
  'Service',
  'PodDisruptionBudget',
  'NetworkPolicy',
  'Deployment',
];

test('pods of the operator start in a namespace with the restricted pod security standard', async () => {
  const namespace = 'confined-operator';
  const { objects } = buildOperator({ namespace, multus: true }, { cni: {}, attached: [] });
  const emitted = [...objects].filter(([file]) => file.startsWith(`${namespace}/`)).map(([, object]) => object);
  const applied: KubeObject[] = APPLIED.flatMap((kind) => emitted.filter((object) => object.kind === kind));
  expect(applied).toHaveLength(APPLIED.length);
  expect(applied[0]?.metadata.labels).toEqual({ 'pod-security.kubernetes.io/enforce': 'restricted' });

  await cluster.applyAll(applied);
  const deployment = await cluster.rolledOut(ref('apps/v1', 'Deployment', 'linkerd-reconciler', namespace));
  expect(deployment.status).toMatchObject({ readyReplicas: 2 });

  // The API server stores the program unchanged.
  const name = 'linkerd-reconciler-program';
  const { binaryData } = await cluster.get(ref('v1', 'ConfigMap', name, namespace));
  expect(binaryData).toEqual(objects.get(`${namespace}/configmap.${name}`).binaryData);
  await cluster.delete(ref('v1', 'Namespace', namespace));
});
