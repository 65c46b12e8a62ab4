import { trimSpace } from '../go/unicode';
import type { CrdFile } from './crds';
import type { SortedManifests } from './manifests';

/** What of a chart is printed. */
export interface OutputOptions {
  readonly includeCrds?: boolean;
  readonly withHooks?: boolean;
  readonly skipTests?: boolean;
}

/** Returns what `helm template` prints for a chart, byte for byte. */
export function templateOutput(
  { manifests, hooks, crds }: SortedManifests & { readonly crds: readonly CrdFile[] },
  { includeCrds = false, withHooks = true, skipTests = false }: OutputOptions = {},
): string {
  const main = [...(includeCrds ? crds : []), ...manifests].map(printed).join('');
  const printedHooks = withHooks ? hooks.filter(({ events }) => !skipTests || !events.includes('test')) : [];
  return `${trimSpace(main)}\n${printedHooks.map(printed).join('')}`;
}

function printed({ source, text }: { readonly source: string; readonly text: string }): string {
  return `---\n# Source: ${source}\n${text}\n`;
}
