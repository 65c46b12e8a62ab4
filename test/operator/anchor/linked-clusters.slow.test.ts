import { anchorName, MEMBER_CONFIG_MAP, memberCopyName, TRUST_ROOTS_KEY } from '#anchor/trust-anchor';
import { certifyingRules } from '#operator/api/rbac/trust-anchor';
import { knownCertificates } from '#operator/src/pki/known-certificate';
import { type AnchorExchange, installExchange, type NamedCluster } from '../../support/anchor/anchor-exchange';
import { decoded } from '../../support/anchor/cert-manager/resources';
import { watchMesh } from '../../support/anchor/mesh-watch';
import { type LiveMesh, verifyMesh } from '../../support/anchor/verify-mesh';
import { verifyWithGo } from '../../support/anchor/verify-with-go';
import type { AuditEvent } from '../../support/cluster/audit';
import { type KubeObject, ref } from '../../support/cluster/objects';
import type { OperatorProcess } from '../../support/operator/operator-process';
import { isUse, type Permission, permissionsOf } from '../rbac/permission';
import {
  ANCHOR_REF,
  type AnchoredMesh,
  gitManifests,
  identity,
  ROOTS,
  startAnchoredMesh,
  workloads,
} from './anchored-mesh';
import { conditionOf } from './installed-mesh';
import { replacePods, replaceWhenAnnounced } from './old-chain';

const [EAST, WEST] = [
  {
    cluster: 'east',
    members: ['west'],
    propagationDelay: '4s',
    commonName: 'root.east.example',
    certifies: [{ cluster: 'west', trustDomain: 'west.example' }],
  },
  {
    cluster: 'west',
    members: ['east'],
    propagationDelay: '4s',
    commonName: 'root.west.example',
    bridge: { signedBy: 'Member', ifUnsigned: 'Restart', member: 'east', trustDomain: 'west.example' },
  },
] as const;

let east: AnchoredMesh;
let west: AnchoredMesh;
let toWest: AnchorExchange;
let toEast: AnchorExchange;
const running: OperatorProcess[] = [];

beforeAll(async () => {
  east = await startAnchoredMesh([], { certifies: ['west'] });
  west = await startAnchoredMesh([], { answersRequests: true, isSecond: true });
  const named = (name: string, { cluster }: AnchoredMesh): NamedCluster => ({ name, cluster });
  toWest = await installExchange(named('west', west), named('east', east));
  toEast = await installExchange(named('east', east), named('west', west));
}, 240_000);
afterAll(async () => {
  await Promise.all(running.map((one) => one.kill('SIGKILL')));
  await Promise.all([east?.stop(), west?.stop()]);
});

/** The manifests in Git for a cluster, whose trust domain is named after it. */
function manifestsOf(spec: typeof EAST | typeof WEST): readonly KubeObject[] {
  return gitManifests(spec).map((manifest) => {
    if (manifest.kind !== 'Certificate') return manifest;
    const commonName = `identity.linkerd.${spec.cluster}.example`;
    return { ...manifest, spec: { ...manifest.spec, commonName, dnsNames: [commonName] } };
  });
}

/** Both meshes as one: each proxy is verified with the roots of both. */
function both(): LiveMesh {
  return {
    proxies: { ...east.proxies, live: () => [...east.proxies.live(), ...west.proxies.live()] },
    identity: { ...east.identity, replicas: () => [...east.identity.replicas(), ...west.identity.replicas()] },
  };
}

/** Creations by server-side apply are logged as patches. */
function isUsed(event: AuditEvent, permission: Permission): boolean {
  const isCreated = permission.verb === 'create' && event.responseStatus?.code === 201;
  return isUse(isCreated ? { ...event, verb: 'create' } : event, permission, (scope) => scope);
}

async function begin(exchange: AnchorExchange): Promise<OperatorProcess> {
  const process = await exchange.start();
  running.push(process);
  return process;
}

async function verifiesAcross(): Promise<void> {
  await east.cluster.eventually(async () => expect(verifyMesh(both()).failures).toEqual([]), { timeoutMs: 60_000 });
}

async function anchorPem({ cluster }: AnchoredMesh, generation: number): Promise<string> {
  return decoded(await cluster.get(ref('v1', 'Secret', anchorName(generation), 'cert-manager')), 'tls.crt') ?? '';
}

const keyOf = (pem: string): string => knownCertificates(pem)[0]?.key ?? '';

test('a cluster starts alone, and certifies a joining cluster once it has the report of that cluster', async () => {
  await east.cluster.applyAll(manifestsOf(EAST));
  await east.operator.start();
  await east.rotatedTo(1);
  await east.cluster.applyAll([identity(1), ...workloads(1)]);
  await east.settled(2, { timeoutMs: 120_000 });
  await west.cluster.applyAll(manifestsOf(WEST));
  await west.operator.start();
  // No report has arrived: the west waits, and then creates its own anchor.
  await west.rotatedTo(1);
  await west.cluster.applyAll([identity(1), ...workloads(1)]);
  await west.settled(2, { timeoutMs: 120_000 });
  await conditionOf(west, 'Certified', 'NotReported');
  // The operator must not trust a report that contains another writer's data.
  const copy = ref('v1', 'ConfigMap', memberCopyName('east'), 'cert-manager');
  await west.cluster.apply({ ...copy, data: { covered: 'true', other: 'text' } });
  await begin(toWest);
  await conditionOf(west, 'Certified', 'Asked');
  const original = ref('v1', 'ConfigMap', MEMBER_CONFIG_MAP, 'cert-manager');
  await west.cluster.eventually(async () =>
    expect((await west.cluster.get(copy)).data).toEqual((await east.cluster.get(original)).data),
  );
  await begin(toEast);
  await conditionOf(west, 'Certified', 'Certified');
  const chain = knownCertificates(await anchorPem(west, 1));
  expect(chain).toHaveLength(1);
  expect(chain[0]?.permits).toEqual(['west.example']);
  // Earlier pods of the west trust only the anchor of the west.
  await replacePods(west);
  await west.settled(2, { timeoutMs: 120_000 });
  await verifiesAcross();
  const roots = knownCertificates((await east.cluster.get(ROOTS)).data[TRUST_ROOTS_KEY]).map(({ key }) => key);
  expect(roots).toEqual([keyOf(await anchorPem(east, 1))]);
  const report = verifyMesh(both());
  expect(verifyWithGo(report.samples).filter((error) => error !== undefined)).toEqual([]);
}, 400_000);

test('a rotating cluster certifies the other cluster again before it retires its old anchor', async () => {
  const old = keyOf(await anchorPem(east, 1));
  const watch = watchMesh(both());
  const heldRoots = async (mesh: AnchoredMesh): Promise<readonly string[]> =>
    knownCertificates((await mesh.cluster.get(ROOTS)).data[TRUST_ROOTS_KEY] ?? '').map(({ key }) => key);
  try {
    await east.cluster.patch(ANCHOR_REF, { spec: { rotateNow: 'one' } });
    await replaceWhenAnnounced(east);
    const next = keyOf(await anchorPem(east, 2));
    await west.cluster.eventually(async () => expect(await heldRoots(west)).toContain(next), { timeoutMs: 30_000 });
    // A pod that starts before the new bundle has spread may get the earlier one.
    await new Promise((resolve) => setTimeout(resolve, 7_000));
    await replacePods(west);
    // Without the exchange, the west receives no report and requests no certificate.
    const [first] = running;
    await first?.kill('SIGKILL');
    await conditionOf(east, 'Adopted', 'AllKnow');
    await conditionOf(east, 'Retired', 'Members');
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    expect((await east.anchor()).status?.memory.rotation.retiring).toBeUndefined();
    expect(await heldRoots(east)).toContain(old);
    await begin(toWest);
    await east.rotatedTo(2, 300_000);
    const [bridge] = knownCertificates(await anchorPem(west, 1));
    expect(bridge?.x509.issuer).toBe('CN=2.root.east.example');
    await east.cluster.eventually(async () => expect(await heldRoots(east)).toEqual([next]));
    await west.cluster.eventually(async () => expect(await heldRoots(west)).not.toContain(old), { timeoutMs: 30_000 });
    await verifiesAcross();
  } finally {
    await watch.stop();
  }
  expect(watch.failures()).toEqual([]);
  const bad = verifyWithGo(watch.samples()).filter((error) => error !== undefined);
  expect(bad).toEqual([]);
}, 600_000);

test('the exchange reads one ConfigMap in the other cluster, and writes one in its own', () => {
  const used = ({ cluster }: AnchoredMesh, user: string): readonly string[] => [
    ...new Set(
      cluster
        .auditEvents({ user })
        .map(({ verb, objectRef }) => `${verb} ${objectRef?.resource} ${objectRef?.namespace}/${objectRef?.name}`),
    ),
  ];
  expect(used(east, toWest.users[1])).toEqual(['get configmaps cert-manager/linkerd-trust-anchor-member']);
  expect(used(west, toWest.users[0]).toSorted()).toEqual([
    `get configmaps cert-manager/${memberCopyName('east')}`,
    `patch configmaps cert-manager/${memberCopyName('east')}`,
  ]);
  const events = east.cluster.auditEvents({ user: east.operator.user });
  for (const permission of permissionsOf(certifyingRules(['west'])).values()) {
    expect([permission.verb, events.some((event) => isUsed(event, permission))]).toEqual([permission.verb, true]);
  }
  const refused = [
    ...east.cluster.auditEvents({ user: east.operator.user }),
    ...west.cluster.auditEvents({ user: west.operator.user }),
  ].filter(({ responseStatus }) => responseStatus?.code === 403);
  expect(refused).toEqual([]);
});
