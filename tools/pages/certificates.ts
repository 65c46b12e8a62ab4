import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Certificate } from '../../imports/crds/cert-manager.io';
import { LinkerdMesh, Platform } from '../../lib';
import { table } from './blocks';
import { objectsOf } from './permissions';

/** The certificates of the smallest mesh, each with its Secret and who signs it. */
export function certificatesTable(): string {
  const folder = mkdtempSync(join(tmpdir(), 'certificates-'));
  try {
    const outdir = join(folder, 'dist');
    const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git', outdir });
    platform.addCluster('home', {}, (home) => {
      new LinkerdMesh(home, 'mesh', { crds: { gatewayApi: 'install' } });
    });
    platform.synth();
    const certificates = objectsOf(outdir, 'home').filter(({ kind }) => kind === 'Certificate');
    return table(
      ['Certificate', 'namespace', 'Secret', 'signed by'],
      (certificates as unknown as readonly Certificate[]).map(({ metadata = {}, spec }) => [
        `\`${metadata.name}\``,
        `\`${metadata.namespace}\``,
        `\`${spec?.secretName}\``,
        `${spec?.issuerRef.kind ?? 'Issuer'} \`${spec?.issuerRef.name}\``,
      ]),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}
