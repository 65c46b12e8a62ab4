import { IDENTITY_ISSUER } from '#anchor/trust-anchor';
import type { Cluster } from '../cluster/cluster';
import { customResourceDefinition } from '../cluster/crds';
import { type KubeObject, ref } from '../cluster/objects';

const API = 'cert-manager.io/v1';

/** Creates an issued identity issuer: a Certificate, and the CertificateRequest with the issued certificate. */
export async function issueIdentity(cluster: Cluster, namespace: string, pem: string): Promise<readonly KubeObject[]> {
  for (const kind of ['Certificate', 'CertificateRequest']) {
    await cluster.apply(customResourceDefinition('cert-manager.io', kind));
  }
  const issuerRef = { kind: 'ClusterIssuer', name: IDENTITY_ISSUER };
  const certificate = await cluster.eventually(() =>
    cluster.apply({
      ...ref(API, 'Certificate', IDENTITY_ISSUER, namespace),
      spec: { secretName: IDENTITY_ISSUER, issuerRef },
    }),
  );
  await cluster.patch(certificate, { status: { revision: 1 } }, { subresource: 'status' });
  const { name = '', uid = '' } = certificate.metadata;
  const request = ref(API, 'CertificateRequest', `${IDENTITY_ISSUER}-1`, namespace);
  const annotations = { 'cert-manager.io/certificate-name': name, 'cert-manager.io/certificate-revision': '1' };
  const ownerReferences = [{ apiVersion: API, kind: 'Certificate', name, uid, controller: true }];
  const made = await cluster.apply({
    ...request,
    metadata: { ...request.metadata, annotations, ownerReferences },
    spec: { issuerRef, request: Buffer.from('a request').toString('base64') },
  });
  const status = {
    certificate: Buffer.from(pem).toString('base64'),
    conditions: [
      { type: 'Ready', status: 'True', reason: 'Issued', message: '', lastTransitionTime: '2026-11-22T00:00:00Z' },
    ],
  };
  await cluster.patch(made, { status }, { subresource: 'status' });
  return [made, certificate];
}
