import type { AnchorAction } from '../../../api/anchor/plan';
import { anchorName, certificationName } from '../../../api/trust-anchor';
import { CERTIFICATE_REQUESTS } from '../../pki/cert-manager';
import { memberRequestPem } from '../observe/members';
import { certificationOf } from '../observe/observe-certifications';
import { type ActionContext, Outdated } from './action-context';
import { checkFence } from './fence';

/** Has cert-manager certify the anchor of another cluster with a generation's key, which the operator cannot read. */
export async function certifyMember(
  { cluster, generation, duration }: Extract<AnchorAction, { do: 'certify' }>,
  context: ActionContext,
): Promise<void> {
  const { client, signal, anchor, view } = context;
  const pem = memberRequestPem(cluster, view.configMaps);
  if (pem === undefined) throw new Outdated('the request of the other cluster');
  await checkFence(context);
  const request = {
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
  await client.apply(CERTIFICATE_REQUESTS, request, { force: true, signal });
}

/** Removes a request whose certificate is not needed any more: what it asks for cannot be changed. */
export async function withdrawCertificate(
  { cluster }: Extract<AnchorAction, { do: 'withdraw-certificate' }>,
  { client, signal, view }: ActionContext,
): Promise<void> {
  const request = certificationOf(cluster, view.requests);
  if (request === undefined) throw new Outdated('the request for the other cluster');
  const { name, namespace, uid } = request.metadata;
  await client.delete(CERTIFICATE_REQUESTS, `${namespace}/${name}`, { preconditions: { uid }, signal });
}
