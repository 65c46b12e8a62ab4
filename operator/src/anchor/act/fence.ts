import type { AnchorAction } from '#anchor/plan';
import { anchorName, IDENTITY_ISSUER, TRUST_ANCHOR_NAME, TRUST_ROOTS } from '#anchor/trust-anchor';
import { CONFIG_MAPS } from '#controller-runtime/objects/built-in-resources';
import { CERTIFICATES, type Certificate, CLUSTER_ISSUERS, type Issuer, issuanceState } from '../../pki/cert-manager';
import { type ConfigMap, TRUST_ANCHORS, type TrustAnchor } from '../objects/trust-anchor';
import { bundleText } from '../observe/observe-bundle';
import { type ActionContext, Outdated } from './action-context';

/** An action that writes something: workloads restart in waves, which have a separate plan. */
export type WritingAction = Exclude<AnchorAction, { do: 'restart-laggards' }>;

/**
 * Checks with the API server, not a cache, that the TrustAnchor has not changed since the decision. A new leader writes
 * to it first, so that a former leader that has not noticed its loss stops.
 * @throws Outdated if it differs
 */
export async function checkLead({
  client,
  signal,
  anchor,
}: Pick<ActionContext, 'client' | 'signal' | 'anchor'>): Promise<void> {
  const now = await client.get<TrustAnchor>(TRUST_ANCHORS, TRUST_ANCHOR_NAME, { signal });
  if (now?.metadata.resourceVersion !== anchor.metadata.resourceVersion) throw new Outdated('the TrustAnchor');
}

/**
 * Checks before an action that the TrustAnchor has not changed since the decision. Before an irreversible action, also
 * checks the signer, the identity issuer and the bundle for new pods.
 * @throws Outdated if anything differs
 */
export async function checkFence(action: WritingAction, context: ActionContext): Promise<void> {
  await Promise.all([checkLead(context), ...(isFinal(action, context) ? [checkTrust(context)] : [])]);
}

async function checkTrust({ client, signal, anchor, view }: ActionContext): Promise<void> {
  const { controlPlaneNamespace: namespace } = anchor.spec;
  const [pointer, certificate, bundle] = await Promise.all([
    client.get<Issuer>(CLUSTER_ISSUERS, IDENTITY_ISSUER, { signal }),
    client.get<Certificate>(CERTIFICATES, `${namespace}/${IDENTITY_ISSUER}`, { signal }),
    client.get<ConfigMap>(CONFIG_MAPS, `${namespace}/${TRUST_ROOTS}`, { signal }),
  ]);
  if (pointer?.spec.ca?.secretName !== view.clusterIssuer?.spec.ca?.secretName) throw new Outdated('the ClusterIssuer');
  if (issuanceOf(certificate) !== issuanceOf(view.issuerCertificate)) throw new Outdated('the identity issuer');
  if (bundleText(bundle) !== bundleText(view.bundle)) throw new Outdated('the bundle');
}

function issuanceOf(certificate: Certificate | undefined): string {
  return certificate === undefined ? 'none' : `${certificate.status?.revision} ${issuanceState(certificate)}`;
}

function isFinal(action: WritingAction, { trust, view }: ActionContext): boolean {
  switch (action.do) {
    case 'answer-request':
    case 'certify':
    case 'set-signer':
    case 'hold-signer':
    case 'delete-anchor':
      return true;
    case 'bundle':
      return !action.bundled;
    case 'apply-anchor':
      // Before this action creates a Certificate, it deletes the key that an earlier generation of the same name left.
      return (
        !action.bundled || !view.certificates.some(({ metadata }) => metadata.name === anchorName(action.generation))
      );
    case 'keep-roots':
      return trust.kept.some((key) => !action.keys.includes(key));
    case 'apply-issuer':
    case 'withdraw-certificate':
    case 'renew-anchor':
    case 'keep-key':
    case 'renew-issuer':
    case 'restart-identity':
      return false;
  }
}
