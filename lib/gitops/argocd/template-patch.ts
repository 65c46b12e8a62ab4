import { APPLICATION_SYNC_OPTIONS } from '../../kubernetes/sync-options';
import type { ApplicationFolder } from './application-folder';
import { folderCondition, type PrefixOf } from './folder-template';

/**
 * Returns the settings of Applications that differ between folders, as an ApplicationSet's templatePatch; undefined if
 * no folder needs one.
 *
 * - Charts use the namespace as their release name, as is usual with Helm: the default is the Application's name, with
 *   which labels (and immutable selectors) would depend on the name of the cluster. A `helm` block in the template
 *   itself would make Argo CD look for charts in folders of plain manifests too.
 * - Folders with only CustomResourceDefinitions are never pruned, neither by automated sync nor, from Argo CD 3.5 on,
 *   by hand.
 * - Folders with objects whose fields a controller changes apply only objects that differ.
 */
export function templatePatch(folders: readonly ApplicationFolder[], prefixOf: PrefixOf): string | undefined {
  const holds = (isChosen: (folder: ApplicationFolder) => boolean) => folderCondition(folders, isChosen, prefixOf);
  const isPatched = holds((folder) => isChart(folder) || isPartial(folder));
  if (isPatched === undefined) return undefined;
  const block = (isChosen: (folder: ApplicationFolder) => boolean, content: readonly string[]) => {
    const condition = holds(isChosen);
    return condition === undefined ? [] : [`  {{- if ${condition} }}`, ...content, '  {{- end }}'];
  };
  return lines([
    `{{- if ${isPatched} }}`,
    'spec:',
    ...(holds(isChart) === isPatched ? HELM : block(isChart, HELM)),
    ...block((folder) => isKept(folder) && !isPartial(folder), [...NEVER_PRUNE, ...syncOptions('Prune=false')]),
    ...block(
      (folder) => isKept(folder) && isPartial(folder),
      [...NEVER_PRUNE, ...syncOptions('Prune=false', 'ApplyOutOfSyncOnly=true')],
    ),
    ...block(
      (folder) => !isKept(folder) && isPartial(folder),
      ['  syncPolicy:', ...syncOptions('ApplyOutOfSyncOnly=true')],
    ),
    '{{- else }}',
    // An empty patch, or a key without content, would remove what the template has.
    '{}',
    '{{- end }}',
  ]);
}

function isChart({ chart }: ApplicationFolder): boolean {
  return chart === true;
}

function isKept(folder: ApplicationFolder): boolean {
  return isChart(folder) && folder.onlyDefinitions === true;
}

function isPartial({ onlyOutOfSync }: ApplicationFolder): boolean {
  return onlyOutOfSync === true;
}

const HELM = ['  source:', '    helm:', '      releaseName: {{ .path.basename | quote }}'];

const NEVER_PRUNE = ['  syncPolicy:', '    automated:', '      prune: false'];

/** Returns the options of the template and more: a patch replaces the list as a whole. */
function syncOptions(...more: readonly string[]): readonly string[] {
  return ['    syncOptions:', ...[...APPLICATION_SYNC_OPTIONS, ...more].map((option) => `      - ${option}`)];
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join('');
}
