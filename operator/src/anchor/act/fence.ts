import { IDENTITY_ISSUER, TRUST_ANCHOR_NAME, TRUST_ROOTS } from '../../../api/trust-anchor';
import { CERTIFICATES, type Certificate, CLUSTER_ISSUERS, type Issuer, issuanceState } from '../../pki/cert-manager';
import { CONFIG_MAPS } from '../../runtime/objects/built-in-resources';
import { type ConfigMap, TRUST_ANCHORS, type TrustAnchor } from '../objects/trust-anchor';
import { bundleText } from '../observe/observe-bundle';
import { type ActionContext, Outdated } from './action-context';

/**
 * Checks with the API server, not a cache, that everything is as it was for the decision: the TrustAnchor's requests,
 * the signer, what has been signed, and the bundle for new pods. A new leader writes to the TrustAnchor before anything
 * else, so that one who has lost the lead without knowing stops here.
 * @throws Outdated if anything differs
 */
export async function checkFence({ client, signal, anchor, view }: ActionContext): Promise<void> {
  const { controlPlaneNamespace: namespace } = anchor.spec;
  const [now, pointer, certificate, bundle] = await Promise.all([
    client.get<TrustAnchor>(TRUST_ANCHORS, TRUST_ANCHOR_NAME, { signal }),
    client.get<Issuer>(CLUSTER_ISSUERS, IDENTITY_ISSUER, { signal }),
    client.get<Certificate>(CERTIFICATES, `${namespace}/${IDENTITY_ISSUER}`, { signal }),
    client.get<ConfigMap>(CONFIG_MAPS, `${namespace}/${TRUST_ROOTS}`, { signal }),
  ]);
  if (now?.metadata.resourceVersion !== anchor.metadata.resourceVersion) throw new Outdated('the TrustAnchor');
  if (pointer?.spec.ca?.secretName !== view.clusterIssuer?.spec.ca?.secretName) throw new Outdated('the ClusterIssuer');
  if (issuanceOf(certificate) !== issuanceOf(view.issuerCertificate)) throw new Outdated('the identity issuer');
  if (bundleText(bundle) !== bundleText(view.bundle)) throw new Outdated('the bundle');
}

function issuanceOf(certificate: Certificate | undefined): string {
  return certificate === undefined ? 'none' : `${certificate.status?.revision} ${issuanceState(certificate)}`;
}
