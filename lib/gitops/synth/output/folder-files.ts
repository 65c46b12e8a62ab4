import { type Finding, findingsAt } from '#base/findings/finding';
import type { Problem } from '#base/findings/problem';
import { byText, remembered } from '#base/remembered';
import { stringifyYaml } from '#base/yaml-writer';
import { KUBERNETES_FINDINGS } from '#kubernetes/findings/findings';
import { withSyncAnnotations } from '#kubernetes/objects/argocd-annotations';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import type { Placed } from '#lib/checks/object-rule';
import { escapeTemplate } from '../../charts/template-escape';
import { umbrellaFiles } from '../../charts/umbrella';
import type { SyncOrder } from '../ordering/sync-order';
import type { Folder } from './layout';
import { checkWrittenText } from './written-text';

/** The order of the contents of a folder. */
export interface FolderOrder {
  readonly order: SyncOrder;
  /** Sync wave of each object, by the number of its construct. */
  readonly waves: ReadonlyMap<number, number>;
}

/** File contents by path in the cluster's folder, and problems of writing them. */
export interface FolderFiles {
  readonly files: readonly (readonly [path: string, text: string])[];
  readonly findings: readonly Finding[];
}

/**
 * Renders the files of one namespace folder: plain manifests or, if charts are released, an umbrella chart with the
 * manifests as its templates, escaped so that Helm prints them unchanged.
 */
export function folderFiles(folder: Folder, { order, waves }: FolderOrder): FolderFiles {
  const findings: Finding[] = [];
  const releases = [...folder.releases].sort((a, b) => order.stageOf(a.construct) - order.stageOf(b.construct));
  const inTemplates = releases.length > 0;
  const manifests = folder.objects.flatMap(({ path, construct, object, checkedAs = object, file }) => {
    const wave = waves.get(construct) ?? 0;
    return attempt(path, findings, (): Written => {
      const text = manifestText(object, wave);
      const common = manifestText(checkedAs, wave);
      const checked = common === text ? [text] : [common, newLines(text, common)];
      return inTemplates ? { file: `templates/${file}`, text: escaped(text), checked } : { file, text, checked };
    });
  });
  const charts = umbrella(folder.namespace, releases, findings).map(([file, text]) => ({
    file,
    text,
    checked: [text],
  }));
  const written = [...charts, ...manifests].map((one) => ({ ...one, file: `${folder.namespace}/${one.file}` }));
  findings.push(...written.flatMap(({ file, checked }) => checked.flatMap((text) => checkWrittenText(file, text))));
  return { files: written.map(({ file, text }) => [file, text] as const), findings };
}

interface Written {
  readonly file: string;
  readonly text: string;
  /**
   * Texts to search for secrets: that of the object that the clusters of a fleet share (`checkedAs`), and the lines
   * of the written text that it lacks.
   */
  readonly checked: readonly string[];
}

const linesOf = byText((text): ReadonlySet<string> => new Set(text.split('\n')));

function newLines(text: string, common: string): string {
  const known = linesOf(common);
  return text
    .split('\n')
    .filter((line) => !known.has(line))
    .join('\n');
}

const escaped = byText(escapeTemplate);

const textsByWave = remembered((_: KubernetesObject) => new Map<number, string>());

function manifestText(object: KubernetesObject, wave: number): string {
  const texts = textsByWave(object);
  const text = texts.get(wave) ?? stringifyYaml(withSyncAnnotations(object, wave));
  texts.set(wave, text);
  return text;
}

function umbrella(name: string, releases: Folder['releases'], findings: Finding[]): readonly [string, string][] {
  const [first, ...others] = releases;
  if (first === undefined) return [];
  const dependencies = others.map(({ release }) => release);
  return attempt(first.path, findings, () =>
    Object.entries(umbrellaFiles(name, [first.release, ...dependencies])),
  ).flat();
}

/** Data without a YAML form (NaN, a Date) is reported at its construct. */
function attempt<T>(path: Placed['path'], findings: Finding[], write: () => T): readonly T[] {
  try {
    return [write()];
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    findings.push(...findingsAt(path, [unwritable(error)]));
    return [];
  }
}

function unwritable({ message }: TypeError): Problem {
  return KUBERNETES_FINDINGS.notYaml({ message });
}
