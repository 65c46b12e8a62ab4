import { posix } from 'node:path';
import { shownPlace } from '#base/findings/finding';
import type { Problem } from '#base/findings/problem';
import { shellWord } from '#base/shell-word';
import type { Values } from '#base/values';
import { CLI_FINDINGS } from '../../findings';
import { valuesIn as findValues } from '../../lint/values-files';
import { buildsOf, INFLATION, KUSTOMIZATION, kustomizationMap } from '../../repository/builds';
import { documentsIn, type FileDocument, type PlacedMap } from '../../repository/documents';
import type { Patch } from '../../repository/patches';
import { RepositoryFiles } from '../../repository/repository-files';
import { elementsOf, type SetElement } from '../../repository/sources/application-set';
import { isHelmfile, readHelmfile } from '../../repository/sources/helmfile';
import { localRelease } from '../../repository/sources/local-chart';
import { readObject } from '../../repository/sources/objects';
import {
  chartIn,
  type ManagerChart,
  type MigratedChart,
  managersIn,
  mapAt,
  NOTHING_READ,
  type Place,
  type ReadSources,
  text,
} from '../../repository/sources/source';
import { isTerraform, readTerraform } from '../../repository/sources/terraform';

/** The releases in a part of a repository, and the file in which the part begins. */
export interface FoundReleases {
  readonly home: string;
  /** The sources. Their problems are notes: values that the files do not contain are left out. */
  readonly read: ReadSources;
  readonly object?: PlacedMap;
}

/** An object, and the file in which its part of the repository begins. */
export interface FoundObject extends PlacedMap {
  readonly home: string;
}

/** The contents of a repository that concern meshes. */
export interface RepositoryContent {
  readonly releases: readonly FoundReleases[];
  readonly objects: readonly FoundObject[];
  readonly notes: readonly Problem[];
  /** Plain values files, recognized by the name of the file or folder, or by values of only one chart. */
  readonly valuesFiles: readonly { readonly chart: MigratedChart; readonly file: string }[];
}

/** Reads a repository: texts by path, with slashes. */
export function readRepository(texts: ReadonlyMap<string, string>): RepositoryContent {
  const files = new RepositoryFiles(texts);
  const manifests = [...texts].filter(([file]) => IS_MANIFEST.test(file) && !isTemplate(file, texts));
  const read = manifests.map(([file, content]) => readMaps(file, content));
  const maps = read.flatMap((one) => one.maps);
  const builds = buildsOf(maps, files, { folders: true }).builds.map(({ home, objects, left }) => ({
    home,
    objects: objects.map(({ item }) => item),
    notes: left.flatMap(({ patch }) =>
      patch !== undefined && concernsMesh(patch) ? [CLI_FINDINGS.notMigratedPatch({ place: patch.place })] : [],
    ),
  }));
  const everywhere = valuesIn(builds.flatMap(({ objects }) => objects));
  const releases = builds.flatMap(({ home, objects }) => {
    const near = [...valuesIn(objects), ...everywhere];
    return objects.flatMap((object) => releaseOf(object, { home, near, files }));
  });
  return {
    releases: [...releases, ...terraformIn(files), ...chartsIn(files)],
    objects: builds.flatMap(({ home, objects }) => objects.map((object) => ({ ...object, home }))),
    notes: [...new Set([...read.flatMap(({ notes }) => notes), ...builds.flatMap(({ notes }) => notes)])],
    valuesFiles: valuesFilesIn(manifests),
  };
}

/** Words that occur in objects of a mesh, or in files that refer to other files. */
const OF_A_MESH =
  /linkerd|cert-manager|trust-manager|kustomiz|argoproj\.io|HelmRelease|HelmChart|ConfigMap|Secret|resources:|bases:|components:|releases:/i;

/** Reads the maps of a file that can be part of a mesh. */
function readMaps(
  file: string,
  text: string,
): { readonly maps: readonly PlacedMap[]; readonly notes: readonly Problem[] } {
  if (!OF_A_MESH.test(text)) return { maps: [], notes: [] };
  const documents = documentsIn(text);
  const maps = documents.flatMap((document) => document.maps.map(({ data, line }) => ({ data, file, line })));
  // Templates, e.g. of charts, are not valid YAML, and are not reported.
  const broken = documents.find((document) => document.unreadable !== undefined && !document.text.includes('{{'));
  return {
    maps: KUSTOMIZATION.test(file) ? [kustomizationMap(file, documents)] : maps,
    notes: broken === undefined || !/linkerd/i.test(text) ? [] : [unreadableNote(file, broken)],
  };
}

function unreadableNote(file: string, { unreadable = '', line }: FileDocument): Problem {
  const place = shownPlace({ file, ...(line !== undefined && { line }) });
  return { ...CLI_FINDINGS.fileUnreadableManifest({ reason: unreadable }), place };
}

/** The kinds from which the program is created. */
const OF_PROGRAM = [
  ...['HelmRelease', 'Application', 'ApplicationSet', 'HelmChart', 'HelmChartConfig', 'Kustomization'],
  ...['Certificate', 'Issuer', 'ClusterIssuer', 'Bundle', 'Namespace', 'ConfigMap', 'Secret'],
];

/** Whether a patch that cannot be applied may change objects from which the program is created. */
function concernsMesh({ steps }: Patch): boolean {
  return steps.some(({ kind }) => kind === undefined || OF_PROGRAM.includes(kind));
}

const IS_MANIFEST = /\.(?:ya?ml|json)$|(?:^|\/)Kustomization$/i;

function valuesFilesIn(texts: readonly (readonly [file: string, content: string])[]): RepositoryContent['valuesFiles'] {
  return texts.flatMap(([file, content]) => {
    const name = posix.basename(file).replace(/\.\w+$/, '');
    const path = /^values\b/.test(name) ? `${posix.basename(posix.dirname(file))} ${name}` : name;
    const [word] = /(?<![a-z\d])linkerd2?-[a-z]+(?:-plane)?/.exec(path) ?? [];
    const isValues = name !== 'Chart' && !/^["'\s{]*(?:apiVersion|kind)\b/m.test(content);
    const chart = isValues ? (chartIn(word) ?? findValues(file, content)[0]?.chart) : undefined;
    return chart === undefined ? [] : [{ chart, file }];
  });
}

function isTemplate(file: string, texts: ReadonlyMap<string, string>): boolean {
  const [folder, ...below] = file.split(/\/?(?:^|(?<=\/))templates\//);
  return below.length > 0 && texts.has(folder === '' ? 'Chart.yaml' : `${folder}/Chart.yaml`);
}

/** The objects from which releases take values, and the charts of Flux. */
function valuesIn(objects: readonly PlacedMap[]): readonly Values[] {
  return objects.flatMap(({ data }) => (BESIDE_RELEASES.includes(String(data.kind)) ? [data] : []));
}

const BESIDE_RELEASES: readonly string[] = ['ConfigMap', 'Secret', 'OCIRepository', 'HelmChart'];

interface Around {
  readonly home: string;
  readonly near: readonly Values[];
  readonly files: RepositoryFiles;
}

function releaseOf(object: PlacedMap, { home, near, files }: Around): readonly FoundReleases[] {
  const { data, file, line } = object;
  const place: Place = { file: `${file}:${line}`, path: '', objects: near, repository: files };
  if (isHelmfile(data)) {
    return found(home, readHelmfile(data, place), `helmfile -f ${shellWord(file)} write-values`);
  }
  if (typeof data.apiVersion !== 'string') return [];
  // Each element of an ApplicationSet has its own releases.
  const elements: readonly SetElement[] = data.kind === 'ApplicationSet' ? elementsOf(data) : [{ object: data }];
  return elements.flatMap(({ name, isCluster, object: filled }) => {
    const begins = name === undefined ? home : isCluster ? name : posix.join(posix.dirname(home), name);
    return found(begins, readObject(filled, place), commandOf(object)).map((one) => ({ ...one, object }));
  });
}

/** Returns the command that prints the values of a release. */
function commandOf({ data, file }: PlacedMap): string {
  const [metadata, spec] = [mapAt(data, 'metadata'), mapAt(data, 'spec')];
  const namespace = text(metadata.namespace);
  if (data.kind === INFLATION) return `kustomize build --enable-helm ${shellWord(posix.dirname(file))}`;
  if (data.kind === 'Application' || data.kind === 'ApplicationSet') {
    return `kubectl get applications.argoproj.io --namespace ${shellWord(namespace ?? 'argocd')} -o yaml`;
  }
  const target = text(spec.targetNamespace);
  const name = text(metadata.name) ?? '';
  // Flux names releases like this.
  const release =
    text(spec.releaseName) ?? (target !== undefined && data.kind === 'HelmRelease' ? `${target}-${name}` : name);
  return `helm get values ${shellWord(release)} --namespace ${shellWord(target ?? namespace ?? 'default')}`;
}

function terraformIn(files: RepositoryFiles): readonly FoundReleases[] {
  return [...files.files].flatMap(([file, content]) => {
    if (!content.includes('helm_release') || !isTerraform(file, content)) return [];
    const command = `terraform -chdir=${shellWord(posix.dirname(file))} show -json`;
    const read = readTerraform(file, content, files);
    const unread = /linkerd/i.test(content) ? read.problems.filter(({ code }) => code === 'file-unreadable') : [];
    return found(file, { ...read, notes: [...read.notes, ...unread] }, command);
  });
}

/** Returns the charts that depend on Linkerd's charts, and that no release in the repository uses. */
function chartsIn(files: RepositoryFiles): readonly FoundReleases[] {
  return files.chartFolders().flatMap((folder) => {
    const chart = files.usedCharts.has(folder) ? undefined : files.chartIn(folder);
    if (chart === undefined) return [];
    const file = posix.join(folder, 'values.yaml');
    const place: Place = { file, path: '', repository: files, template: /\{\{/ };
    if (chartIn(chart.metadata.name) !== undefined) return copyOfChart(folder);
    if (!Array.isArray(chart.metadata.dependencies)) return [];
    const read = localRelease(chart, { chart: chart.metadata.name }, place, { values: {}, problems: [] });
    return found(file, read, 'helm get values RELEASE --namespace NAMESPACE');
  });
}

/** A copy of a chart contains only defaults, and its release may have other values. */
function copyOfChart(folder: string): readonly FoundReleases[] {
  const place = `a release of the chart in ${folder}`;
  const note = CLI_FINDINGS.notMigratedUnread({ place, command: 'helm get values RELEASE --namespace NAMESPACE' });
  return [{ home: posix.join(folder, 'Chart.yaml'), read: { ...NOTHING_READ, notes: [note] } }];
}

/** Turns problems into notes with the command that prints the missing values, which the program leaves out. */
function found(home: string, read: ReadSources, command: string): readonly FoundReleases[] {
  const notes = read.problems.flatMap((problem) => (read.notes.includes(problem) ? [] : noteOf(problem, command)));
  if (read.sources.length + managersIn(read).length + read.notes.length === 0) return [];
  return [{ home, read: { ...read, problems: [], notes: [...read.notes, ...notes] } }];
}

function noteOf(problem: Problem, command: string): Problem {
  const { code, parameters } = problem;
  const place = parameters?.place;
  return code === 'release-refused' && typeof place === 'string'
    ? CLI_FINDINGS.notMigratedUnread({ place, command })
    : problem;
}

/** Returns the charts of releases. */
export function chartsOf({ read }: FoundReleases): readonly (MigratedChart | ManagerChart)[] {
  return [...read.sources.flatMap(({ chart }) => chart ?? []), ...managersIn(read).map(({ chart }) => chart)];
}
