import { TRUST_ANCHOR_RULES } from '../../../operator/api/rbac/trust-anchor';
import { anchorNames, ROTATE_NOW_ANNOTATION } from '../../../operator/api/trust-anchor';
import type { AuditEvent } from '../../support/cluster/audit';
import { isUse, type Permission, permissionsOf } from '../rbac/permission';
import { ANCHOR_REF, gitManifests, identity, meshOfFile, startAnchoredMesh, workloads } from './anchored-mesh';

/**
 * Uses that a rotation over a bridge has none of: while nobody may sign, when a TrustAnchor is made while webhooks are
 * served, and where an anchor is extended.
 */
const ELSEWHERE = [
  'delete clusterissuers linkerd-identity-issuer',
  'get namespaces',
  `patch certificates/status ${anchorNames().join(' ')} in cert-manager`,
];

const PLACES: Readonly<Record<string, string>> = { 'control-plane': 'linkerd', 'cert-manager': 'cert-manager' };

const mesh = meshOfFile(startAnchoredMesh);

/** What is created is created by server-side apply, whose requests are patches. */
function isUsed(event: AuditEvent, permission: Permission): boolean {
  const isCreated = permission.verb === 'create' && event.responseStatus?.code === 201;
  return isUse(isCreated ? { ...event, verb: 'create' } : event, permission, (scope) => PLACES[scope]);
}

test('a rotation makes use of all that the operator may do for it, and is refused nothing', async () => {
  const manifests = gitManifests({ cluster: 'west' });
  await mesh.cluster.applyAll(manifests.filter(({ kind }) => kind !== 'TrustAnchor'));
  const operator = await mesh.operator.start();
  await mesh.cluster.applyAll(manifests);
  await mesh.rotatedTo(1);
  await mesh.cluster.applyAll([identity(1), ...workloads(1)]);
  await mesh.settled(2, { timeoutMs: 60_000 });
  await mesh.cluster.patch(ANCHOR_REF, { metadata: { annotations: { [ROTATE_NOW_ANNOTATION]: 'one' } } });
  await mesh.reaches('LeavesTurned');
  for (const deployment of [identity(1), ...workloads(1)]) {
    const annotations = { 'kubectl.kubernetes.io/restartedAt': 'now' };
    await mesh.cluster.patch(deployment, { spec: { template: { metadata: { annotations } } } });
  }
  await mesh.rotatedTo(2);
  await operator.stop();
  const events = mesh.cluster.auditEvents({ user: mesh.operator.user });
  const unused = [...permissionsOf(TRUST_ANCHOR_RULES)].filter(
    ([name, permission]) => !ELSEWHERE.includes(name) && !events.some((event) => isUsed(event, permission)),
  );
  expect(unused.map(([name]) => name)).toEqual([]);
  const refused = events.filter(({ responseStatus }) => responseStatus?.code === 403);
  expect(refused.map(({ verb, objectRef }) => `${verb} ${objectRef?.resource} ${objectRef?.name}`)).toEqual([]);
}, 240_000);
