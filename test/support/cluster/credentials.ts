import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { issueCertificate, issueTokenSigner, type KeyPair } from './certificates';
import { writeKubeconfig } from './kubeconfig';

/** The clients of the API server among the control plane's programs: their users, to whom Kubernetes gives roles. */
const COMPONENTS = {
  'kube-controller-manager': { commonName: 'system:kube-controller-manager' },
  'kube-scheduler': { commonName: 'system:kube-scheduler' },
  kwok: { commonName: 'kwok', organizations: ['system:masters'] },
};

/** The part of a control plane's certificates that tests need; the rest lies in its folder. */
export interface Credentials {
  readonly ca: KeyPair;
  /** A client certificate in `system:masters`: it may do anything. */
  readonly admin: KeyPair;
}

/** Certificates of the CA, the API server and its clients, and a kubeconfig for each client, as files in a folder. */
export function writeCredentials(dir: string, server: string): Credentials {
  const ca = issueCertificate({ commonName: 'kubernetes', ca: true });
  const serving = issueCertificate({
    commonName: 'kube-apiserver',
    issuer: ca,
    dnsNames: ['localhost', 'kubernetes.default.svc'],
    ips: ['127.0.0.1'],
  });
  const signer = issueTokenSigner();
  const admin = issueCertificate({ commonName: 'admin', organizations: ['system:masters'], issuer: ca });
  const files = {
    'ca.crt': ca.cert,
    'apiserver.crt': serving.cert,
    'apiserver.key': serving.key,
    'service-account.pub': signer.publicKey,
    'service-account.key': signer.privateKey,
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(dir, name), content, { mode: 0o600 });
  for (const [name, user] of Object.entries(COMPONENTS)) {
    const identity = issueCertificate({ ...user, issuer: ca });
    writeKubeconfig(join(dir, `${name}.kubeconfig`), { server, ca: ca.cert, identity });
  }
  return { ca, admin };
}
