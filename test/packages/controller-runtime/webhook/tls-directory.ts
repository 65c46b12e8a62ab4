import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueCertificate, type KeyPair } from '#test/support/cluster/certificates';

/** A directory with a server's certificate, like a mounted Secret. */
export interface TlsDirectory {
  readonly path: string;
  /** The CA of all pairs, in PEM. */
  readonly ca: string;
  /** Issues a new pair without writing it. */
  issue(commonName: string): KeyPair;
  /** Writes files in place, one after another. */
  write(files: Partial<KeyPair>): void;
  /** Replaces all files at once like the kubelet, by a symbolic link to another directory. */
  swap(pair: KeyPair): void;
  remove(): void;
}

export function tlsDirectory(): TlsDirectory {
  const path = mkdtempSync(join(tmpdir(), 'tls-files-'));
  const ca = issueCertificate({ commonName: 'webhook CA', ca: true });
  let version = 0;
  const write = ({ cert, key }: Partial<KeyPair>, directory = path): void => {
    if (cert !== undefined) writeFileSync(join(directory, 'tls.crt'), cert);
    if (key !== undefined) writeFileSync(join(directory, 'tls.key'), key);
  };
  return {
    path,
    ca: ca.cert,
    issue: (commonName) => issueCertificate({ commonName, issuer: ca, dnsNames: ['localhost'], ips: ['127.0.0.1'] }),
    write: (files) => write(files),
    swap: (pair) => {
      version += 1;
      const target = `..version-${version}`;
      mkdirSync(join(path, target));
      write(pair, join(path, target));
      symlinkSync(target, join(path, '..data_tmp'));
      renameSync(join(path, '..data_tmp'), join(path, '..data'));
      if (version === 1) for (const file of ['tls.crt', 'tls.key']) symlinkSync(`..data/${file}`, join(path, file));
      else rmSync(join(path, `..version-${version - 1}`), { recursive: true });
    },
    remove: () => rmSync(path, { recursive: true }),
  };
}
