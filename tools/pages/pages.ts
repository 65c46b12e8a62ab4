import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { alertsDocument } from './alerts';
import { type Blocks, blockNames, withBlocks } from './blocks';
import { certificatesTable } from './certificates';
import { consequencesDocument } from './consequences';
import { chainFigure, windowsFigure } from './figures';
import { metricsDocument } from './metrics';
import { mistakeBlocks } from './mistakes';
import { operatorPermissionsTable } from './operator-permissions';
import { permissionsTable, secretsTable } from './permissions';
import { readingRoles } from './reading-roles';
import { securityContextsTable } from './security-contexts';
import { defaultWindows, windowsTable } from './windows';

/** The files of `docs/` that are generated or have generated parts, by path in `docs/`. */
export function generatedFiles(root: string): ReadonlyMap<string, string> {
  const docs = join(root, 'docs');
  const windows = defaultWindows();
  const dist = join(root, 'dist');
  const blocks: Blocks = {
    ...mistakeBlocks(),
    ...readingRoles(),
    windows: windowsTable(windows),
    certificates: certificatesTable(),
    'security-contexts': securityContextsTable(),
    'operator-permissions': operatorPermissionsTable(),
    permissions: permissionsTable(dist, 'home'),
    secrets: secretsTable(dist, 'home'),
  };
  const pages = ['.', 'reference']
    .flatMap((folder) => readdirSync(join(docs, folder)).map((name) => join(folder, name)))
    .filter((name) => name.endsWith('.md'))
    .map((name) => [name, readFileSync(join(docs, name), 'utf8')] as const)
    .filter(([, page]) => blockNames(page).length > 0);
  const used = new Set(pages.flatMap(([, page]) => blockNames(page)));
  const unused = Object.keys(blocks).filter((name) => !used.has(name));
  if (unused.length > 0) throw new Error(`no page shows ${unused.join(', ')}`);
  return new Map([
    ['reference/alerts.md', alertsDocument()],
    ['reference/consequences.md', consequencesDocument()],
    ['reference/metrics.md', metricsDocument()],
    ['reference/pki/chain.svg', chainFigure()],
    ['reference/pki/windows.svg', windowsFigure(windows)],
    ...pages.map(([name, page]) => [name, withBlocks(page, blocks)] as const),
  ]);
}
