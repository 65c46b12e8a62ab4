import {
  CertManager,
  CertManagerPKI,
  LinkerdControlPlane,
  TrustAnchor,
  TrustBundle,
  TrustManager,
} from 'cdk8s-linkerd';
import type { Construct } from 'constructs';

export function linkerd(scope: Construct) {
  const certManager = CertManager.fromExisting(scope, 'cert-manager');
  const trustManager = TrustManager.fromExisting(scope, 'trust-manager');
  // The mesh's existing anchor: check the name of its Secret in cert-manager's namespace, and label the Secret.
  const pki = new CertManagerPKI(scope, 'pki', {
    certManager,
    trustAnchor: TrustAnchor.fromSecret({ secretName: 'linkerd-trust-anchor' }),
  });
  const trust = new TrustBundle(scope, 'trust', { pki, trustManager });
  return new LinkerdControlPlane(scope, 'linkerd', {
    version: 'edge-26.8.3',
    pki,
    trust,
    crds: { gatewayApi: 'existing' },
    highAvailability: false,
    values: {
      clusterNetworks: '10.0.0.0/8',
      enablePodAntiAffinity: true,
      proxy: { logLevel: 'warn' },
      proxyInit: { ignoreOutboundPorts: '3306' },
      controllerReplicas: 3,
    },
  });
}
