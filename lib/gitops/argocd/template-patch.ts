import { APPLICATION_SYNC_OPTIONS } from '#kubernetes/objects/argocd-annotations';
import type { ApplicationFolder } from './application-folder';
import { folderCondition, type PrefixOf } from './folder-template';

/**
 * Returns the settings of Applications that differ between folders, as an ApplicationSet's templatePatch; undefined if
 * no folder needs one.
 *
 * - Charts use the namespace as their release name, as is usual with Helm. With the default, the Application's name,
 *   labels (and immutable selectors) would depend on the name of the cluster. A `helm` block in the template itself
 *   would make Argo CD look for charts in folders of plain manifests too.
 * - Folders with only CustomResourceDefinitions are never pruned, neither by automated sync nor, from Argo CD 3.5 on,
 *   by hand.
 * - Folders with objects whose fields a controller changes apply only objects that differ.
 * - Clusters of a ring with `automated: false` are not synced automatically.
 *
 * @param manual the clusters without automated sync: none, all of them, or a Go template condition
 */
export function templatePatch(
  folders: readonly ApplicationFolder[],
  prefixOf: PrefixOf,
  manual: Manual = 'none',
): string | undefined {
  const holds = (isChosen: (folder: ApplicationFolder) => boolean) => folderCondition(folders, isChosen, prefixOf);
  const ofFolders = holds((folder) => isChart(folder) || isPartial(folder));
  const ofRings = manual === 'none' || manual === 'all' ? undefined : manual.condition;
  const isPatched =
    ofFolders === undefined || ofRings === undefined ? (ofFolders ?? ofRings) : `or (${ofFolders}) (${ofRings})`;
  if (isPatched === undefined) return undefined;
  const block = (isChosen: (folder: ApplicationFolder) => boolean, content: readonly string[]) => {
    const condition = holds(isChosen);
    return condition === undefined ? [] : [`  {{- if ${condition} }}`, ...content, '  {{- end }}'];
  };
  return lines([
    `{{- if ${isPatched} }}`,
    'spec:',
    ...(ofRings === undefined && holds(isChart) === isPatched ? HELM : block(isChart, HELM)),
    ...block((folder) => isKept(folder) && !isPartial(folder), [...neverPrune(manual), ...syncOptions('Prune=false')]),
    ...block(
      (folder) => isKept(folder) && isPartial(folder),
      [...neverPrune(manual), ...syncOptions('Prune=false', 'ApplyOutOfSyncOnly=true')],
    ),
    ...block(
      (folder) => !isKept(folder) && isPartial(folder),
      ['  syncPolicy:', ...notAutomated(manual), ...syncOptions('ApplyOutOfSyncOnly=true')],
    ),
    ...(ofRings === undefined
      ? []
      : alone(
          ofRings,
          holds((folder) => isKept(folder) || isPartial(folder)),
        )),
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

/** The clusters whose Applications are not synced automatically. */
export type Manual = 'none' | 'all' | { readonly condition: string };

function neverPrune(manual: Manual): readonly string[] {
  const prune = ['    automated:', '      prune: false'];
  if (manual === 'all') return ['  syncPolicy:'];
  if (manual === 'none') return ['  syncPolicy:', ...prune];
  return ['  syncPolicy:', `    {{- if ${manual.condition} }}`, NONE, '    {{- else }}', ...prune, '    {{- end }}'];
}

/** A null in the patch removes the field of the template. */
const NONE = '    automated: null';

function notAutomated(manual: Manual): readonly string[] {
  return typeof manual === 'string' ? [] : [`    {{- if ${manual.condition} }}`, NONE, '    {{- end }}'];
}

/** Returns the patch that turns automatic sync off, for folders without a syncPolicy from another condition. */
function alone(condition: string, others: string | undefined): readonly string[] {
  const isAlone = others === undefined ? condition : `and (${condition}) (not (${others}))`;
  return [`  {{- if ${isAlone} }}`, '  syncPolicy:', NONE, '  {{- end }}'];
}

/** Returns the template's sync options with more: a patch replaces the whole list. */
function syncOptions(...more: readonly string[]): readonly string[] {
  return ['    syncOptions:', ...[...APPLICATION_SYNC_OPTIONS, ...more].map((option) => `      - ${option}`)];
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join('');
}
