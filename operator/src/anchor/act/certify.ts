import type { AnchorAction } from '../../../../packages/anchor/plan';
import { anchorName, certificationName } from '../../../../packages/anchor/trust-anchor';
import { CERTIFICATE_REQUESTS } from '../../pki/cert-manager';
import { memberRequestPem } from '../observe/members';
import { certificationOf } from '../observe/observe-certifications';
import { type ActionContext, Outdated } from './action-context';
import { applyOver, deleteObserved } from './writes';

/** Has cert-manager certify the anchor of another cluster with a generation's key, which the operator cannot read. */
export async function certifyMember(
  { cluster, generation, duration }: Extract<AnchorAction, { do: 'certify' }>,
  context: ActionContext,
): Promise<void> {
  const { anchor, view } = context;
  const pem = memberRequestPem(cluster, view.configMaps);
  if (pem === undefined) throw new Outdated('the request of the other cluster');
  const body = {
    metadata: {
      name: certificationName(cluster),
      namespace: anchor.spec.certManagerNamespace,
      labels: { 'app.kubernetes.io/part-of': 'Linkerd' },
    },
    spec: {
      request: Buffer.from(pem).toString('base64'),
      isCA: true,
      usages: ['cert sign', 'crl sign'],
      duration: `${Math.floor(duration / 1_000)}s`,
      issuerRef: { group: 'cert-manager.io', kind: 'Issuer', name: anchorName(generation) },
    },
  };
  const over = certificationOf(cluster, view.requests);
  await applyOver({ resource: CERTIFICATE_REQUESTS, over, body }, context);
}

/** Removes a request whose certificate is not needed any more: what it asks for cannot be changed. */
export async function withdrawCertificate(
  { cluster }: Extract<AnchorAction, { do: 'withdraw-certificate' }>,
  context: ActionContext,
): Promise<void> {
  const request = certificationOf(cluster, context.view.requests);
  if (request === undefined) throw new Outdated('the request for the other cluster');
  await deleteObserved(CERTIFICATE_REQUESTS, request, context);
}
