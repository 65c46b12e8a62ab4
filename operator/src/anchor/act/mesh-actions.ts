import type { AnchorKey } from '#anchor/chain';
import type { AnchorAction } from '#anchor/plan';
import { anchorName, IDENTITY_ISSUER, KEPT_ROOTS, TRUST_ANCHOR_LABEL, TRUST_ROOTS_KEY } from '#anchor/trust-anchor';
import { CONFIG_MAPS, DEPLOYMENTS } from '#controller-runtime/objects/built-in-resources';
import { kubeTime } from '#controller-runtime/objects/kube-time';
import { CERTIFICATES_ANNOTATION, LEFT_ALONE } from '#operator/api/names';
import { CERTIFICATES, type Certificate, CLUSTER_ISSUERS, type Issuer } from '../../pki/cert-manager';
import { type KnownCertificate, longestRoot } from '../../pki/known-certificate';
import type { ConfigMap } from '../objects/trust-anchor';
import { IDENTITY_DEPLOYMENT } from '../observe/issuer-updates';
import { type ActionContext, Outdated } from './action-context';
import { applyOver, deleteObserved } from './writes';

/** Keeps the public parts of exactly these anchors in the bundle. */
export async function keepRoots(keys: readonly AnchorKey[], context: ActionContext): Promise<void> {
  const { anchor, view, known } = context;
  const pem = keys.map((key) => rootPem(key, known)).join('');
  const body: ConfigMap = {
    metadata: {
      name: KEPT_ROOTS,
      namespace: anchor.spec.certManagerNamespace,
      labels: { 'app.kubernetes.io/part-of': 'Linkerd', [TRUST_ANCHOR_LABEL]: 'current' },
    },
    data: { [TRUST_ROOTS_KEY]: pem },
  };
  const over = view.configMaps.find(({ metadata }) => metadata.name === KEPT_ROOTS);
  await applyOver({ resource: CONFIG_MAPS, over, body }, context);
}

/** Returns the PEM of an anchor's root; empty if unknown. */
export function rootPem(key: AnchorKey, known: readonly KnownCertificate[]): string {
  return longestRoot(key, known)?.pem ?? '';
}

/** Makes a generation sign the identity issuer from now on. */
export async function setSigner(generation: number, context: ActionContext): Promise<void> {
  const body: Issuer = {
    metadata: {
      name: IDENTITY_ISSUER,
      labels: { 'app.kubernetes.io/part-of': 'Linkerd' },
      annotations: LEFT_ALONE,
    },
    spec: { ca: { secretName: anchorName(generation) } },
  };
  await applyOver({ resource: CLUSTER_ISSUERS, over: context.view.clusterIssuer, body }, context);
}

/** Keeps the identity issuer from being signed. */
export async function holdSigner(context: ActionContext): Promise<void> {
  const { clusterIssuer } = context.view;
  if (clusterIssuer === undefined) throw new Outdated('there is no ClusterIssuer');
  await deleteObserved(CLUSTER_ISSUERS, clusterIssuer, context);
}

/** Requests a new identity issuer from cert-manager, unless it has been reissued since it was observed. */
export async function renewIssuer(context: ActionContext): Promise<void> {
  const { issuerCertificate } = context.view;
  if (issuerCertificate === undefined) throw new Outdated('there is no identity issuer');
  await renewCertificate(
    issuerCertificate,
    'The rotation of the trust anchor requested a new identity issuer',
    context,
  );
}

/** Makes cert-manager reissue a Certificate, unless it has changed since it was observed. */
export async function renewCertificate(over: Certificate, message: string, context: ActionContext): Promise<void> {
  const condition = {
    type: 'Issuing',
    status: 'True',
    reason: 'ManuallyTriggered',
    message,
    lastTransitionTime: kubeTime(context.clock()),
  };
  const { name, namespace } = over.metadata;
  const body = { metadata: { name, namespace }, status: { conditions: [condition] } };
  await applyOver({ resource: CERTIFICATES, over, body, subresource: 'status' }, context);
}

/** Restarts identity, once for each issuer and for each bundle: a repetition writes the same annotation. */
export async function restartIdentity(
  cause: Extract<AnchorAction, { do: 'restart-identity' }>,
  { client, signal, anchor }: ActionContext,
): Promise<void> {
  const key = `${anchor.spec.controlPlaneNamespace}/${IDENTITY_DEPLOYMENT}`;
  const value = 'bundle' in cause ? `roots-${cause.bundle.slice(0, 16)}` : `issuer-${cause.revision}`;
  const body = { spec: { template: { metadata: { annotations: { [CERTIFICATES_ANNOTATION]: value } } } } };
  await client.patch(DEPLOYMENTS, key, { type: 'merge', body }, { signal });
}
