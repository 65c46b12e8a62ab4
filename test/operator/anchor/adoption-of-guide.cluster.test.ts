import { parseAllDocuments } from 'yaml';
import { ANCHOR, TRUST_ANCHOR_LABEL } from '#anchor/trust-anchor';
import { runInMemory } from '../../bin/fake-terminal';
import { watchMesh } from '../../support/anchor/mesh-watch';
import { type KubeObject, ref } from '../../support/cluster/objects';
import { GUIDE_PKI } from '../../support/guide/helm-mesh';
import { ANCHOR_REF, identity, meshOfFile, POINTER, ROOTS, startAnchoredMesh, workloads } from './anchored-mesh';
import { podsOf, replaceWhenAnnounced } from './old-chain';

const FIRST = ref('cert-manager.io/v1', 'Certificate', ANCHOR, 'cert-manager');
const FIRST_SECRET = ref('v1', 'Secret', ANCHOR, 'cert-manager');
const PREVIOUS_SECRET = ref('v1', 'Secret', 'linkerd-previous-anchor', 'cert-manager');

/** The guide's Bundle also reads a copy of the anchor, which its manual rotation needs. */
const GUIDE_CHAIN = GUIDE_PKI.map((object): KubeObject => {
  if (object.kind !== 'Bundle') return object;
  const previous = { secret: { name: PREVIOUS_SECRET.metadata.name, key: 'tls.crt' } };
  return { ...object, spec: { ...object.spec, sources: [...object.spec.sources, previous] } };
});

const mesh = meshOfFile(startAnchoredMesh);

/** Runs a mesh that was installed by Linkerd's guide. */
async function runGuide(): Promise<void> {
  const { cluster } = mesh;
  await cluster.patch(ref('v1', 'Namespace', 'linkerd'), {
    metadata: { labels: { 'linkerd.io/is-control-plane': 'true' } },
  });
  await cluster.applyAll(GUIDE_CHAIN);
  const { type, data } = await cluster.eventually(() => cluster.get(FIRST_SECRET));
  await cluster.apply({ ...PREVIOUS_SECRET, type, data });
  await cluster.eventually(() => cluster.get(ROOTS));
  await cluster.applyAll([identity(2), ...workloads(3)]);
  await mesh.settled(5, { timeoutMs: 60_000 });
}

/** The manifests that the command prints, changed for the operator of the rig. */
async function printedManifests(
  others: readonly string[] = [],
): Promise<{ readonly header: string; readonly objects: readonly KubeObject[] }> {
  const { cluster, operator } = mesh;
  const kinds = [
    ['cert-manager.io/v1', 'Certificate'],
    ['cert-manager.io/v1', 'ClusterIssuer'],
    ['trust.cert-manager.io/v1alpha1', 'Bundle'],
  ] as const;
  const lists = await Promise.all(
    kinds.map(async ([apiVersion, kind]) =>
      (await cluster.list(apiVersion, kind, {})).map((object) => ({ ...object, apiVersion, kind })),
    ),
  );
  const certificates = JSON.stringify({ kind: 'List', items: lists.flat() });
  const times = 'issuanceLifetime: 6s, clockSkewAllowance: 1s';
  const values = `identity: { externalCA: true, issuer: { scheme: kubernetes.io/tls, ${times} } }`;
  const args = ['--namespace', operator.namespace, '--rotation', '--renew-before', '720h', ...others];
  const { code, stdout, stderr } = await runInMemory(
    ['operator', 'manifests', ...args, '-f', 'values', '--certificates', 'certificates'],
    { files: { values, certificates } },
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return {
    header: stdout.slice(0, stdout.indexOf('---')),
    objects: parseAllDocuments(stdout).map((document) => document.toJS() as KubeObject),
  };
}

test("the operator adopts the anchor of Linkerd's guide with the printed manifests, and rotates it", async () => {
  const { cluster, certManager } = mesh;
  await runGuide();
  const [pods, secret, roots] = [await podsOf(mesh), await cluster.get(FIRST_SECRET), await cluster.get(ROOTS)];
  const issued = certManager.issued.length;
  const { header, objects } = await printedManifests();
  const before = [...header.matchAll(/kubectl label secret (\S+) --namespace (\S+) (\S+)=(\S+)/g)];
  expect(before.map(([, name]) => name)).toEqual([ANCHOR, 'linkerd-previous-anchor']);

  // The API server must accept all that the command can print.
  const values = [
    '--set',
    'cniEnabled=true',
    '--set-json',
    'podAnnotations={"k8s.v1.cni.cncf.io/networks":"linkerd-cni"}',
  ];
  const most = await printedManifests([
    '--config',
    '--multus',
    '--cni-namespace',
    'shop',
    '--cluster',
    'east',
    ...values,
  ]);
  await cluster.applyAll(most.objects, { fieldManager: 'kubectl', force: true, dryRun: true });

  const watch = watchMesh(mesh);
  try {
    for (const [, name = '', namespace = '', label = '', role] of before) {
      await cluster.patch(ref('v1', 'Secret', name, namespace), { metadata: { labels: { [label]: role } } });
    }
    // The policies would refuse the rig's cert-manager and trust-manager, whose users differ from real ones.
    const applied = objects.filter(({ kind }) => kind !== 'ValidatingAdmissionPolicyBinding');
    await cluster.applyAll(applied, { fieldManager: 'kubectl', force: true });
    await mesh.operator.start();
    await mesh.rotatedTo(0, 30_000);
    const uids = (all: typeof pods) => all.map(({ metadata }) => metadata.uid);
    expect(uids(await podsOf(mesh))).toEqual(uids(pods));
    expect((await cluster.get(FIRST_SECRET)).data).toEqual(secret.data);
    expect((await cluster.get(ROOTS)).data).toEqual(roots.data);
    const ofMesh = certManager.issued.filter(({ certificate }) => !certificate.includes(mesh.operator.namespace));
    expect(ofMesh).toHaveLength(issued);
    // Without the operator, cert-manager would renew the anchor after two months.
    await cluster.eventually(async () => {
      const { spec } = await cluster.get(FIRST);
      expect(spec).toMatchObject({ renewBefore: '7320h', privateKey: { rotationPolicy: 'Never' } });
      expect(spec.secretTemplate.labels).toMatchObject({ [TRUST_ANCHOR_LABEL]: 'current' });
    });

    await cluster.patch(ANCHOR_REF, { spec: { propagationDelay: '2s', rotateNow: 'one' } });
    await replaceWhenAnnounced(mesh);
    await mesh.rotatedTo(1, 60_000);
  } finally {
    await watch.stop();
  }
  expect(watch.failures()).toEqual([]);
  expect(await cluster.find(FIRST)).toBeUndefined();
  expect((await cluster.get(POINTER)).spec.ca.secretName).toBe(`${ANCHOR}-1`);
}, 180_000);
