import {
  IDENTITY_ISSUER,
  SELF_SIGNED_ISSUER,
  TRUST_ROOTS,
  TRUST_ROOTS_KEY,
  type TrustAnchorSpec,
} from '#anchor/trust-anchor';
import { TrustBundle } from '#lib/constructs/pki/trust-bundle';
import { TrustManager } from '#lib/constructs/pki/trust-manager';
import { hours, objectsOf, pkiChart } from '../../constructs/pki/mesh';
import type { KubeObject } from '../../support/cluster/objects';
import { type AnchoredMesh, gitManifests, identity, ROOTS, workloads } from './anchored-mesh';

const NAMES = new Set([SELF_SIGNED_ISSUER, 'linkerd-trust-anchor', IDENTITY_ISSUER, TRUST_ROOTS]);

/** The identity chain that the library emits if no operator rotates the anchor. */
export function oldChain(rotation: 'manual' | 'automatic-unsafe'): readonly KubeObject[] {
  const { chart, certManager, pki } = pkiChart({
    trustAnchor: { ...hours(2, 0.5), rotation },
    identityIssuer: hours(1, 0.2),
  });
  new TrustBundle(chart, 'bundle', { pki, trustManager: new TrustManager(chart, 'trust-manager', { certManager }) });
  const chain = objectsOf(chart).filter(
    ({ kind, metadata }) =>
      NAMES.has(metadata.name) && ['Issuer', 'ClusterIssuer', 'Certificate', 'Bundle'].includes(kind),
  );
  return chain as readonly KubeObject[];
}

/** The chain for the operator. All other objects of the old chain stay unchanged. */
export function newChain(old: readonly KubeObject[], spec: Partial<TrustAnchorSpec> = {}): readonly KubeObject[] {
  const bundle = old.find(({ kind }) => kind === 'Bundle');
  const [secrets] = bundle?.spec.sources ?? [];
  const { selector } = secrets.secret;
  return [
    ...gitManifests(spec).filter(({ kind }) => kind === 'TrustAnchor'),
    ...old.filter(
      ({ kind, metadata }) => kind === 'Issuer' || (kind === 'Certificate' && metadata.name === IDENTITY_ISSUER),
    ),
    {
      ...(bundle as KubeObject),
      spec: { ...bundle?.spec, sources: [secrets, { configMap: { selector, key: TRUST_ROOTS_KEY } }] },
    },
  ];
}

/** Runs a mesh with this chain, two replicas of identity and this number of workloads. */
export async function runOldMesh(mesh: AnchoredMesh, chain: readonly KubeObject[], count = 3): Promise<void> {
  const { cluster } = mesh;
  await cluster.applyAll(chain);
  await cluster.eventually(() => cluster.get(ROOTS));
  await cluster.applyAll([identity(2), ...workloads(count)]);
  await mesh.settled(count + 2, { timeoutMs: 60_000 });
}

/** The pods of the mesh, sorted by uid. */
export async function podsOf({ cluster }: AnchoredMesh): Promise<readonly KubeObject[]> {
  const pods = await Promise.all(['linkerd', 'shop'].map((namespace) => cluster.list('v1', 'Pod', { namespace })));
  return pods.flat().toSorted((a, b) => ((a.metadata.uid ?? '') < (b.metadata.uid ?? '') ? -1 : 1));
}

/** Waits until new pods get the next anchor, and replaces all earlier pods one by one. */
export async function replaceWhenAnnounced(mesh: AnchoredMesh): Promise<void> {
  await mesh.cluster.eventually(
    async () =>
      expect((await mesh.anchor()).status?.conditions).toContainEqual(
        expect.objectContaining({ type: 'Announced', status: 'True' }),
      ),
    { timeoutMs: 40_000 },
  );
  await replacePods(mesh);
}

export async function replacePods(mesh: AnchoredMesh): Promise<void> {
  for (const pod of await podsOf(mesh)) {
    await mesh.cluster.delete(pod);
    await new Promise((resolve) => setTimeout(resolve, 400));
  }
}
