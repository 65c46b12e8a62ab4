import { anchorName, anchorNames, ROTATE_NOW_ANNOTATION } from '#anchor/trust-anchor';
import { TRUST_ANCHOR_RULES } from '#operator/api/rbac/trust-anchor';
import { startChurn } from '../../support/anchor/churn';
import { watchMesh } from '../../support/anchor/mesh-watch';
import { startSelfHealer } from '../../support/anchor/self-healer';
import type { AuditEvent } from '../../support/cluster/audit';
import { ref } from '../../support/cluster/objects';
import type { OperatorProcess } from '../../support/operator/operator-process';
import { isUse, type Permission, permissionsOf } from '../rbac/permission';
import { ANCHOR_REF, gitManifests, identity, meshOfFile, POINTER, startAnchoredMesh, workloads } from './anchored-mesh';

/** A named cluster publishes its progress in a report. */
const MANIFESTS = gitManifests({ cluster: 'west' });

const mesh = meshOfFile(startAnchoredMesh);
let operator: OperatorProcess;
beforeAll(async () => {
  await mesh.cluster.applyAll(MANIFESTS);
  operator = await mesh.operator.start();
}, 120_000);

test('the operator creates the anchor of a fresh cluster', async () => {
  await mesh.rotatedTo(1);
  await mesh.cluster.applyAll([identity(2), ...workloads(4)]);
  await mesh.settled(6, { timeoutMs: 60_000 });
  expect((await mesh.cluster.get(POINTER)).spec.ca.secretName).toBe(anchorName(1));
  const metrics = await (await fetch(operator.metricsUrl)).text();
  expect(metrics).toMatch(/^linkerd_trust_anchor_phase{phase="Stable"} 1$/m);
  expect(metrics).toMatch(/^linkerd_trust_anchor_expiration_timestamp_seconds{generation="1",role="Signing",/m);
  expect(metrics).toMatch(/^linkerd_trust_anchor_laggard_pods 0$/m);
  expect(metrics).toMatch(/^linkerd_trust_anchor_stuck 0$/m);
}, 120_000);

test('the operator rotates over a bridge without a failed handshake, under churn and GitOps self-heal', async () => {
  const { cluster } = mesh;
  const healer = startSelfHealer(cluster, MANIFESTS);
  const churn = startChurn(cluster, { namespaces: ['shop', 'linkerd'], seed: 5, intervalMs: 700 });
  const watch = watchMesh(mesh);
  await cluster.patch(ANCHOR_REF, { metadata: { annotations: { [ROTATE_NOW_ANNOTATION]: 'one' } } });
  const phases: string[] = [];
  const look = setInterval(() => {
    void mesh.phase().then((phase) => phase !== undefined && phases.at(-1) !== phase && phases.push(phase));
  }, 200);
  try {
    const anchor = await mesh.rotatedTo(2);
    expect(anchor.status?.anchors).toMatchObject([{ generation: 2, role: 'Signing' }]);
  } finally {
    clearInterval(look);
    await churn.stop();
    await watch.stop();
    await healer.stop();
  }
  expect(watch.failures()).toEqual([]);
  expect(healer.refusals()).toEqual([]);
  expect([...healer.healed]).toEqual([]);
  // A pod that the operator sees late reverts Adopted for a moment, so that only each phase's last time counts.
  const inOrder = phases.filter((phase, index) => phase !== 'Stable' && phases.lastIndexOf(phase) === index);
  expect(inOrder).toEqual(
    ['Minted', 'Announced', 'Bridged', 'Signing', 'LeavesTurned', 'Adopted', 'Retired'].filter((phase) =>
      phases.includes(phase),
    ),
  );
  expect(await cluster.find(ref('v1', 'Secret', anchorName(1), 'cert-manager'))).toBeUndefined();
  expect((await cluster.get(POINTER)).spec.ca.secretName).toBe(anchorName(2));
}, 240_000);

/**
 * A rotation over a bridge does not use these permissions. The operator needs them if no anchor signs, for the first
 * webhook call of a TrustAnchor, and to extend an anchor.
 */
const ELSEWHERE = [
  'delete clusterissuers linkerd-identity-issuer',
  'get namespaces',
  `patch certificates/status ${anchorNames().join(' ')} in cert-manager`,
];

const PLACES: Readonly<Record<string, string>> = { 'control-plane': 'linkerd', 'cert-manager': 'cert-manager' };

/** Creations by server-side apply are logged as patches. */
function isUsed(event: AuditEvent, permission: Permission): boolean {
  const isCreated = permission.verb === 'create' && event.responseStatus?.code === 201;
  return isUse(isCreated ? { ...event, verb: 'create' } : event, permission, (scope) => PLACES[scope]);
}

test('a first anchor and a rotation use all permissions of their Role, and need no others', async () => {
  // Some watches are logged only when they end.
  await operator.stop();
  const events = mesh.cluster.auditEvents({ user: mesh.operator.user });
  const unused = [...permissionsOf(TRUST_ANCHOR_RULES)].filter(
    ([name, permission]) => !ELSEWHERE.includes(name) && !events.some((event) => isUsed(event, permission)),
  );
  expect(unused.map(([name]) => name)).toEqual([]);
  const refused = events.filter(({ responseStatus }) => responseStatus?.code === 403);
  expect(refused.map(({ verb, objectRef }) => `${verb} ${objectRef?.resource} ${objectRef?.name}`)).toEqual([]);
});
