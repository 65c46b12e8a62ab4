import type { TrustAnchorSpec } from '#anchor/trust-anchor';
import { issueCertificate, type KeyPair } from '../../support/cluster/certificates';
import { type KubeObject, ref } from '../../support/cluster/objects';
import { type AnchoredMesh, gitManifests, identity, workloads } from './anchored-mesh';

/** A mesh without the anchor's key in the cluster, and manifests that adopt it and keep the anchor in the bundle. */
export interface InstalledMesh {
  /** The anchor with its key, which the cluster does not contain. */
  readonly root: KeyPair;
  readonly manifests: readonly KubeObject[];
}

/** Runs a mesh as after `linkerd install`: two replicas of identity, and this number of workloads. */
export async function runInstalledMesh(
  { cluster, settled }: AnchoredMesh,
  spec: Partial<TrustAnchorSpec>,
  count = 3,
): Promise<InstalledMesh> {
  const root = issueCertificate({ commonName: 'root.linkerd.cluster.local', ca: true });
  const issuer = issueCertificate({ commonName: 'identity.linkerd.cluster.local', ca: true, issuer: root });
  const manifests = gitManifests(spec).map((manifest): KubeObject => {
    if (manifest.kind !== 'Bundle') return manifest;
    return { ...manifest, spec: { ...manifest.spec, sources: [...manifest.spec.sources, { inLine: root.cert }] } };
  });
  const pem = issuer.cert.trim().replaceAll('\n', '\n        ');
  const values = `linkerdVersion: edge-26.8.3\nidentity:\n  issuer:\n    tls:\n      crtPEM: |\n        ${pem}\n`;
  await cluster.applyAll([
    ...manifests.filter(({ kind }) => kind === 'Bundle'),
    {
      ...ref('v1', 'Secret', 'linkerd-identity-issuer', 'linkerd'),
      type: 'kubernetes.io/tls',
      stringData: { 'tls.crt': issuer.cert, 'tls.key': issuer.key, 'ca.crt': root.cert },
    },
    { ...ref('v1', 'ConfigMap', 'linkerd-config', 'linkerd'), data: { values } },
  ]);
  await cluster.eventually(() => cluster.get(ref('v1', 'ConfigMap', 'linkerd-identity-trust-roots', 'linkerd')));
  await cluster.applyAll([identity(2), ...workloads(count)]);
  await settled(count + 2, { timeoutMs: 60_000 });
  return { root, manifests };
}

/** Waits until a condition of the TrustAnchor has this reason, and returns its message. */
export async function conditionOf(mesh: AnchoredMesh, type: string, reason: string): Promise<string> {
  return mesh.cluster.eventually(
    async () => {
      const conditions: readonly { type: string; reason: string; message: string }[] =
        (await mesh.anchor()).status?.conditions ?? [];
      expect(conditions).toContainEqual(expect.objectContaining({ type, reason }));
      return conditions.find((one) => one.type === type)?.message ?? '';
    },
    { timeoutMs: 40_000 },
  );
}

export async function restartedWorkloads({ cluster }: AnchoredMesh): Promise<readonly (string | undefined)[]> {
  const deployments = await cluster.list('apps/v1', 'Deployment', {});
  return deployments
    .filter(({ spec }) => spec.template.metadata.annotations?.['cdk8s-linkerd/trust-roots'] !== undefined)
    .map(({ metadata }) => metadata.name)
    .sort();
}
