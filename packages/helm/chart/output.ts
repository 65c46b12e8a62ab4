import { trimSpace } from '../go/unicode';
import type { SortedManifests } from './manifests';

/** Which documents of a chart are printed. */
export interface OutputOptions {
  readonly includeCrds?: boolean;
  readonly withHooks?: boolean;
  readonly skipTests?: boolean;
}

interface PrintedText {
  readonly source: string;
  readonly text: string;
}

/** Returns what `helm template` prints for a chart, byte for byte. */
export function templateOutput(
  { manifests, hooks, crds }: SortedManifests & { readonly crds: readonly PrintedText[] },
  { includeCrds = false, withHooks = true, skipTests = false }: OutputOptions = {},
): string {
  const main = [...(includeCrds ? crds : []), ...manifests].map(printed).join('');
  const printedHooks = withHooks ? hooks.filter(({ events }) => !skipTests || !events.includes('test')) : [];
  return `${trimSpace(main)}\n${printedHooks.map(printed).join('')}`;
}

function printed({ source, text }: PrintedText): string {
  return `---\n# Source: ${source}\n${text}\n`;
}
