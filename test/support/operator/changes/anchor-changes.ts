import { VALIDATING_PATH } from '#operator/api/webhooks/linkerd-config';
import { issueCertificate } from '../../cluster/certificates';
import { issueIdentity } from '../issued-identity';
import { CONFIG } from '../operated-mesh';
import { askWebhook } from './ask-webhook';
import type { PrepareChange } from './change';

/** Asks the webhook about a LinkerdConfig with anchors that have signed the current issuer; the webhook allows it. */
export const checksAnchors: PrepareChange = async (mesh) => {
  const { namespace } = mesh.controlPlane;
  const root = issueCertificate({ commonName: 'root.linkerd.cluster.local', ca: true });
  const { cert } = issueCertificate({ commonName: 'identity.linkerd.cluster.local', ca: true, issuer: root });
  await issueIdentity(mesh.cluster, namespace, cert);
  const spec = {
    controlPlaneNamespace: namespace,
    configMapName: 'other',
    values: { identityTrustAnchorsPEM: root.cert },
  };
  const review = {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: '1',
      operation: 'CREATE',
      kind: { group: 'config.linkerd.io', version: 'v1alpha1', kind: 'LinkerdConfig' },
      resource: { group: 'config.linkerd.io', version: 'v1alpha1', resource: 'linkerdconfigs' },
      userInfo: { username: 'jane' },
      object: { apiVersion: CONFIG.apiVersion, kind: CONFIG.kind, metadata: { name: 'other' }, spec },
    },
  };
  const ask = () => askWebhook(mesh, VALIDATING_PATH, JSON.stringify(review));
  return {
    make: async () => void (await ask()),
    seen: async () => expect(await ask()).toMatchObject({ allowed: true }),
  };
};
