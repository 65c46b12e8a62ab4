import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AuditEvent } from '../../support/cluster/audit';
import { emptyCluster, type OwnCluster } from '../../support/cluster/cluster';
import { ref } from '../../support/cluster/objects';
import { tellsDrift } from '../../support/operator/changes/drift-changes';
import { bringsNetworkBack, followsCniPlugin } from '../../support/operator/changes/network-changes';
import { completes, reportsPod, waitsForBudgets } from '../../support/operator/changes/propagation-changes';
import { meshedDeployment } from '../../support/operator/meshed-workloads';
import { annotate, networkRef } from '../../support/operator/network-fixture';
import { createOperatedMesh, type OperatedMesh, RULES } from '../../support/operator/operated-mesh';
import { permissionsOf } from './permission';

const ENABLED = { 'linkerd.io/multus': 'enabled' };

/** A namespace that does not exist at first. */
const late = `late-${randomBytes(4).toString('hex')}`;

let cluster: OwnCluster;
let mesh: OperatedMesh;
let requests: () => readonly AuditEvent[];

beforeAll(async () => {
  cluster = await emptyCluster();
  mesh = await createOperatedMesh(cluster, { workloads: [late] });
  requests = () => cluster.auditEvents({ user: mesh.installation.user });
  await mesh.start();
});
afterAll(async () => {
  await mesh?.stop();
  await cluster?.stop();
});

const refused = () => requests().filter(({ responseStatus }) => responseStatus?.code === 403);
const isRead = (resource: string, namespace: string) =>
  cluster.eventually(() =>
    expect(
      requests().find(
        ({ verb, objectRef, responseStatus }) =>
          verb === 'list' &&
          objectRef?.resource === resource &&
          objectRef.namespace === namespace &&
          responseStatus?.code === 200,
      ),
    ).toBeDefined(),
  );
const inStatus = async () => JSON.stringify((await mesh.reported()).status);

test('a bounded operator is ready and does all of its work despite a missing namespace', async () => {
  for (const prepare of [completes, tellsDrift, waitsForBudgets, reportsPod, followsCniPlugin, bringsNetworkBack]) {
    const change = await prepare(mesh);
    await change.make();
    await cluster.eventually(change.seen);
  }
  await annotate(cluster, mesh.shop, ENABLED);
  await cluster.eventually(() => cluster.get(networkRef(mesh.shop)));
  await annotate(cluster, mesh.shop, { 'linkerd.io/multus': null });
  await cluster.eventually(async () => expect(await cluster.find(networkRef(mesh.shop))).toBeUndefined());
  // The owner is a Rollout, and the operator may look for that kind only in its namespaces.
  await cluster.apply(ownedByRollout(mesh.shop));
  await isRead('rollouts', mesh.shop);
  expect(refused()).toEqual([]);
});

/** A ReplicaSet without pods that names a Rollout as its owner. */
function ownedByRollout(namespace: string) {
  const { template } = meshedDeployment('ghost', namespace).spec;
  const owner = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', name: 'ghost', uid: 'ghost', controller: true };
  const { labels } = template.metadata;
  return {
    ...ref('apps/v1', 'ReplicaSet', 'ghost', namespace),
    metadata: { name: 'ghost', namespace, labels, ownerReferences: [owner] },
    spec: { replicas: 0, selector: { matchLabels: labels }, template },
  };
}

test('a bounded operator serves a namespace once it and its Role exist, until its deletion', async () => {
  await mesh.configured();
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: late, annotations: ENABLED } };
  await cluster.apply(namespace);
  await cluster.eventually(() => cluster.get(ref('v1', 'ServiceAccount', 'default', late)));
  // Without the permission to read budgets, the operator neither restarts nor reports anything.
  await mesh.installation.permit(RULES.filter(({ resources }) => !resources.includes('poddisruptionbudgets')));
  await cluster.eventually(() => cluster.get(networkRef(late)));
  await cluster.apply(meshedDeployment('late', late));
  for (const resource of ['pods', 'replicasets', 'deployments']) await isRead(resource, late);
  await sleep(500);
  expect(await inStatus()).not.toContain('Deployment/late');
  await mesh.installation.permit(RULES);
  await cluster.eventually(async () => expect(await inStatus()).toContain('Deployment/late'));
  // Refused only until the Role existed, and only in this namespace.
  expect(new Set(refused().map(({ objectRef }) => objectRef?.namespace)).size).toBeLessThanOrEqual(1);

  await cluster.delete(namespace);
  await cluster.eventually(async () => expect(await inStatus()).not.toContain('Deployment/late'));
  await cluster.eventually(async () => expect(await cluster.find(namespace)).toBeUndefined());
});

test('a bounded operator does not touch other namespaces', async () => {
  const outside = await cluster.namespace('outside', { annotations: ENABLED });
  await cluster.apply(meshedDeployment('outside', outside));
  const change = await completes(mesh);
  await change.make();
  await cluster.eventually(change.seen);
  expect(await inStatus()).not.toContain(outside);
  expect(await cluster.find(networkRef(outside))).toBeUndefined();
});

test('a bounded operator requests workloads in its own namespaces only', () => {
  const places = [mesh.shop, late, mesh.installation.linkerdNamespace];
  const perNamespace = [...permissionsOf(RULES.filter((rule) => rule.perNamespace)).values()];
  const isWorkload = ({ objectRef }: AuditEvent) =>
    perNamespace.some(
      ({ apiGroup, resource }) => (objectRef?.apiGroup ?? '') === apiGroup && objectRef?.resource === resource,
    );
  const asked = requests().filter(isWorkload);
  expect(asked.length).toBeGreaterThan(50);
  expect(asked.filter(({ objectRef }) => !places.includes(objectRef?.namespace ?? ''))).toEqual([]);
});
