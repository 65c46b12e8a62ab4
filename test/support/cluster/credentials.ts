import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { issueCertificate, issueTokenSigner, type KeyPair } from './certificates';
import { writeKubeconfig } from './kubeconfig';

/** The first clients of the API server, with users for which Kubernetes has roles, or the group of administrators. */
const CLIENTS = {
  admin: { user: 'admin', group: 'system:masters' },
  'kube-controller-manager': { user: 'system:kube-controller-manager', group: '' },
  'kube-scheduler': { user: 'system:kube-scheduler', group: '' },
  kwok: { user: 'kwok', group: 'system:masters' },
};

/** The credentials of a control plane that tests need. The others are files in its folder. */
export interface Credentials {
  readonly ca: KeyPair;
  /** A member of `system:masters`: it may do anything. */
  readonly admin: { readonly token: string };
}

/**
 * Writes certificates of the CA and the API server, and a token and a kubeconfig for each client. Clients have tokens,
 * because the API server would spend a tenth of its time on the verification of client certificates.
 */
export function writeCredentials(dir: string, server: string): Credentials {
  const ca = issueCertificate({ commonName: 'kubernetes', ca: true });
  const serving = issueCertificate({
    commonName: 'kube-apiserver',
    issuer: ca,
    dnsNames: ['localhost', 'kubernetes.default.svc'],
    ips: ['127.0.0.1'],
  });
  const signer = issueTokenSigner();
  const admin = { token: newToken() };
  const clients = Object.entries(CLIENTS).map(([name, who]) => {
    return { name, ...who, identity: name === 'admin' ? admin : { token: newToken() } };
  });
  const files = {
    'ca.crt': ca.cert,
    'apiserver.crt': serving.cert,
    'apiserver.key': serving.key,
    'service-account.pub': signer.publicKey,
    'service-account.key': signer.privateKey,
    'tokens.csv': clients
      .map(({ name, user, group, identity }) => `${identity.token},${user},${name},${group}\n`)
      .join(''),
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(dir, name), content, { mode: 0o600 });
  for (const { name, identity } of clients) {
    writeKubeconfig(join(dir, `${name}.kubeconfig`), { server, ca: ca.cert, identity });
  }
  return { ca, admin };
}

const newToken = (): string => randomBytes(16).toString('hex');
