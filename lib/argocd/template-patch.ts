import { APPLICATION_SYNC_OPTIONS } from '../kubernetes/sync-options';
import type { ApplicationFolder } from './application-folder';
import { folderCondition, type PrefixOf } from './folder-template';

/**
 * Returns what the Applications of some folders have over the others, as an ApplicationSet's templatePatch; undefined
 * where no folder needs one.
 *
 * - Charts get the namespace as their release name, as Helm users have it: by default it were the Application's name,
 *   so that labels (and selectors, which cannot change) would depend on the name of the cluster. In the template
 *   itself a `helm` block would make Argo CD look for a chart in folders of plain manifests too.
 * - Folders with nothing but CustomResourceDefinitions are never pruned, neither by automated sync nor, from Argo CD
 *   3.5 on, by hand.
 */
export function templatePatch(folders: readonly ApplicationFolder[], prefixOf: PrefixOf): string | undefined {
  const isChart = folderCondition(folders, ({ chart }) => chart === true, prefixOf);
  if (isChart === undefined) return undefined;
  const isKept = folderCondition(
    folders,
    ({ chart, onlyDefinitions }) => chart === true && onlyDefinitions === true,
    prefixOf,
  );
  return lines([
    `{{- if ${isChart} }}`,
    'spec:',
    '  source:',
    '    helm:',
    '      releaseName: {{ .path.basename | quote }}',
    ...(isKept === undefined ? [] : [`  {{- if ${isKept} }}`, ...NEVER_PRUNE, '  {{- end }}']),
    '{{- else }}',
    // A patch that is empty, or a key without content, would remove what the template has.
    '{}',
    '{{- end }}',
  ]);
}

// A patch replaces the list of options as a whole.
const NEVER_PRUNE = [
  '  syncPolicy:',
  '    automated:',
  '      prune: false',
  '    syncOptions:',
  ...[...APPLICATION_SYNC_OPTIONS, 'Prune=false'].map((option) => `      - ${option}`),
];

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join('');
}
