import { writeFileSync } from 'node:fs';
import type { KeyPair } from './certificates';

/** An identity for the API server: a bearer token or a client certificate. */
export type Identity = { readonly token: string } | KeyPair;

export interface Connection {
  /** Such as `https://127.0.0.1:6443`. */
  readonly server: string;
  /** The CA of the server's certificate, as PEM. */
  readonly ca: string;
  readonly identity: Identity;
}

/** Writes a kubeconfig with one context. JSON is YAML too. */
export function writeKubeconfig(path: string, { server, ca, identity }: Connection): void {
  const user =
    'token' in identity
      ? { token: identity.token }
      : { 'client-certificate-data': base64(identity.cert), 'client-key-data': base64(identity.key) };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server, 'certificate-authority-data': base64(ca) } }],
    users: [{ name: 'test', user }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    'current-context': 'test',
  };
  writeFileSync(path, `${JSON.stringify(config, undefined, 2)}\n`, { mode: 0o600 });
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
