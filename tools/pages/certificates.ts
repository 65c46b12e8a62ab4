import type { Certificate } from '#imports/crds/cert-manager.io';
import { LinkerdMesh } from '#lib';
import { table } from './blocks';
import { synthesizedObjects } from './mesh-objects';

/** The certificates of the smallest mesh, each with its Secret and its issuer. */
export function certificatesTable(): string {
  const objects = synthesizedObjects((home) => {
    new LinkerdMesh(home, 'mesh', { crds: { gatewayApi: 'install' } });
  });
  const certificates = objects.filter(({ kind }) => kind === 'Certificate');
  return table(
    ['Certificate', 'namespace', 'Secret', 'signed by'],
    (certificates as unknown as readonly Certificate[]).map(({ metadata = {}, spec }) => [
      `\`${metadata.name}\``,
      `\`${metadata.namespace}\``,
      `\`${spec?.secretName}\``,
      `${spec?.issuerRef.kind ?? 'Issuer'} \`${spec?.issuerRef.name}\``,
    ]),
  );
}
