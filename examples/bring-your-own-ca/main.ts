import { ApiObject } from 'cdk8s';
import { CertManager, LinkerdMesh, Platform, Reference, TrustAnchor, Warnings } from 'cdk8s-linkerd';

const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git' });

const monitoring = { namespace: 'monitoring' };
const external = [
  Reference.crd('podmonitors.monitoring.coreos.com'),
  Reference.crd('prometheusrules.monitoring.coreos.com'),
  // The root's certificate, without its key, and with the label that adds it to the trust bundle; see README.md.
  { kind: 'Secret', namespace: 'cert-manager', name: 'vault-root' },
  { kind: 'ServiceAccount', namespace: 'cert-manager', name: 'vault-issuer' },
] as const;

platform.addCluster('home', { external }, (home) => {
  const certManager = new CertManager(home, 'cert-manager');

  // Vault signs Linkerd's identity issuer as an intermediate CA: the root's key never leaves Vault.
  const vault = new ApiObject(home, 'vault', {
    apiVersion: 'cert-manager.io/v1',
    kind: 'ClusterIssuer',
    metadata: { name: 'vault' },
    spec: {
      vault: {
        server: 'https://vault.example.com',
        path: 'pki/issuer/default/sign-intermediate',
        auth: {
          kubernetes: {
            role: 'linkerd',
            mountPath: '/v1/auth/kubernetes',
            serviceAccountRef: { name: 'vault-issuer' },
          },
        },
      },
    },
  });

  const mesh = new LinkerdMesh(home, 'mesh', {
    certManager,
    pki: { trustAnchor: TrustAnchor.fromClusterIssuer({ name: vault.name, roots: { secretName: 'vault-root' } }) },
    crds: { gatewayApi: 'install' },
    monitoring,
  });
  Warnings.of(mesh).acknowledge('trust-anchor-unlabelled', 'the Secret is made with its label, as README.md says');
});

platform.run();
