import { remembered } from '#base/remembered';
import { isMap, type Value, type Values, valueAt } from '#base/values';
import { unmarked } from '#kubernetes/findings/sealed-data';
import { SYNC_WAVE } from '#kubernetes/objects/argocd-annotations';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { scheduleGaps } from '#kubernetes/schedule-gaps';
import { FileReader } from '#lib/gitops/changes/file-contents';
import { INDEX_FILE } from '#lib/gitops/synth/output/cluster-index';
import { ARGOCD_FOLDER } from '#lib/gitops/synth/output/file-names';
import type { IntendedDifference } from '#linkerd/charts/chart';
import { CHART_OF_PART, LINKERD_PARTS } from '#linkerd/releases/charts';
import type { InstalledReleases } from '#linkerd/releases/installed';
import { CONTROL_PLANE_DIFFERENCES } from '#linkerd/renderers/linkerd-control-plane/intended-differences';
import { JAEGER_DIFFERENCES } from '#linkerd/renderers/linkerd-jaeger/intended-differences';
import { VIZ_DIFFERENCES } from '#linkerd/renderers/linkerd-viz/intended-differences';
import { CNI_DIFFERENCES } from '#linkerd/renderers/linkerd2-cni/intended-differences';
import { readRotationUnits } from '#operator/api/rotation';
import { chartsIn, controlPlaneValues, type InflatedChart, installedIn } from '../../compare/cluster-contents';
import { type ClusterFiles, clusterFiles, type Output } from '../../compare/output';
import type {
  ApplicationWaves,
  ChartDifferences,
  ClusterGroup,
  ClusterReport,
  IgnoredFields,
  PlatformReport,
  ReportedWarning,
  RestartSchedule,
  Wave,
} from '../model';
import { type PkiValues, pkiIn, pkiObjects, pkiValues } from './pki';

/** Reads the report of an output. Clusters with equal reports form one group. */
export function readReport(output: Output): PlatformReport {
  const reader = new FileReader();
  const shared = output.get(ARGOCD_FOLDER);
  const sets = objectsIn(shared ?? new Map(), reader).objects.flatMap(({ object }) => ignoredBySet(object));
  const reports = new Map<string, CommonReport>();
  const groups = new Map<string, { clusters: string[]; report: ClusterReport }>();
  const rings: (readonly [cluster: string, ring: string])[] = [];
  for (const name of [...output.keys()].filter((name) => name !== ARGOCD_FOLDER).sort()) {
    const texts = output.get(name);
    if (texts === undefined) continue;
    const cluster = clusterFiles(texts);
    const { ring, warnings, damage } = cluster.index;
    if (ring !== undefined) rings.push([name, ring]);
    const { objects, unreadable } = objectsIn(cluster.files, reader);
    const inputs = inputsOf(cluster, objects, reader);
    const inputsText = textOf(inputs);
    const report = reports.get(inputsText) ?? commonReport(inputs);
    reports.set(inputsText, report);
    const others = {
      ...(warnings && { warnings: warnings.map((warning) => withoutCluster(warning, name)) }),
      unreadable: damage === undefined ? unreadable : [{ path: INDEX_FILE, reason: damage }, ...unreadable],
      ignored: ignoredFields(sets, name),
    };
    const key = `${jsonOf(report)}${JSON.stringify(others)}`;
    const group = groups.get(key) ?? { clusters: [], report: { ...report, ...others } };
    group.clusters.push(name);
    groups.set(key, group);
  }
  // Hides keys and passwords, although the output should contain none.
  return unmarked({ groups: [...groups.values()] satisfies ClusterGroup[], rings });
}

const jsonOf = remembered((report: object) => JSON.stringify(report));

/** The inputs of most parts of a cluster's report. Nearly all clusters of a fleet have equal inputs. */
interface Inputs {
  readonly parts: readonly FolderPart[];
  readonly charts: readonly InflatedChart[];
  readonly releases: InstalledReleases;
  readonly values: PkiValues;
}

interface FolderPart {
  readonly folder: string;
  readonly part: Part;
}

type CommonReport = Omit<ClusterReport, 'ignored' | 'warnings' | 'unreadable'>;

function inputsOf(cluster: ClusterFiles, objects: readonly FolderObject[], reader: FileReader): Inputs {
  const charts = chartsIn(cluster.files, reader);
  return {
    parts: objects.map(({ folder, object }) => ({ folder, part: partOf(object) })),
    charts,
    releases: installedIn(cluster, charts, reader)?.releases ?? {},
    values: controlPlaneValues(cluster, charts, reader, pkiValues),
  };
}

function textOf({ parts, charts, releases, values }: Inputs): string {
  const named = charts.map(({ name, version, namespace }) => [name, version, namespace]);
  return (
    parts.map(({ folder, part }) => `${folder} ${part.text}\n`).join('') + JSON.stringify([named, releases, values])
  );
}

function commonReport({ parts, charts, releases, values }: Inputs): CommonReport {
  const ours = LINKERD_PARTS.filter((part) => releases[part] !== undefined);
  const inflated = new Set(charts.map(({ name }) => name));
  const rendered = ours.map((part) => CHART_OF_PART[part]).filter((name) => !inflated.has(name));
  const foreignCharts = charts.filter(({ name }) => !ours.some((part) => CHART_OF_PART[part] === name));
  return {
    releases: [
      ...ours.map((part) => `${CHART_OF_PART[part]} ${releases[part]}`),
      ...foreignCharts.map(({ name, version }) => `${name} ${version}`),
    ],
    pki: pkiIn(
      parts.flatMap(({ part }) => part.pki),
      values,
    ),
    schedules: parts.flatMap(({ part }) => part.schedules),
    waves: wavesOf(
      parts,
      charts.map(({ name, version, namespace }) => ({ folder: namespace, chart: `${name} ${version}` })),
    ),
    differences: differencesOf(rendered),
  };
}

/** The parts of an object that the report needs. */
interface Part {
  readonly kind: string;
  readonly wave: number;
  readonly schedules: readonly RestartSchedule[];
  readonly pki: readonly KubernetesObject[];
  /** The other members as JSON. */
  readonly text: string;
}

const partOf = remembered((object: KubernetesObject): Part => {
  const { kind } = object;
  const part = { kind, wave: waveOf(object), schedules: schedulesIn(object), pki: pkiObjects(object) };
  return { ...part, text: JSON.stringify(part) };
});

/** Removes the name of the cluster from the path, so that clusters of a fleet have equal warnings. */
function withoutCluster(warning: ReportedWarning, cluster: string): ReportedWarning {
  const { path } = warning;
  return {
    ...warning,
    path: path.startsWith(`${cluster}/`) ? path.slice(cluster.length + 1) : path.replace(cluster, ''),
  };
}

function objectsIn(files: ReadonlyMap<string, string>, reader: FileReader) {
  const objects: FolderObject[] = [];
  const unreadable: { path: string; reason: string }[] = [];
  for (const [path, text] of files) {
    if (!path.endsWith('.yaml')) continue;
    const contents = reader.read(path, text);
    const folder = path.includes('/') ? path.slice(0, path.indexOf('/')) : '';
    if (contents.is === 'object') objects.push({ folder, object: contents.object });
    if (contents.is === 'unreadable') unreadable.push({ path, reason: contents.reason });
  }
  return { objects, unreadable };
}

function schedulesIn(job: KubernetesObject): readonly RestartSchedule[] {
  if (job.kind !== 'CronJob') return [];
  const schedule = valueAt(job as Values, 'spec.schedule');
  const containers = valueAt(job as Values, 'spec.jobTemplate.spec.template.spec.containers');
  const [container] = Array.isArray(containers) ? (containers as readonly Value[]) : [];
  const args = isMap(container) && Array.isArray(container.args) ? container.args : [];
  if (typeof schedule !== 'string' || args[0] !== 'rotate') return [];
  const flag = (name: string) =>
    args.flatMap((arg: Value) => (typeof arg === 'string' && arg.startsWith(name) ? [arg.slice(name.length)] : []));
  const { units } = readRotationUnits({ units: flag('--unit='), trustRoots: flag('--trust-roots=') });
  const gap = gapOf(schedule);
  return [
    {
      name: `${job.metadata.namespace ?? ''}/${job.metadata.name}`,
      schedule,
      ...(gap !== undefined && { gap }),
      units: units.map(({ namespace, deployment, certificates }) => ({
        workload: `${namespace}/${deployment}`,
        certificates: certificates.map((name) => `${namespace}/${name}`),
      })),
    },
  ];
}

/** Returns undefined for an invalid schedule: the file may have been edited after the synth. */
function gapOf(schedule: string): number | undefined {
  try {
    const { longest } = scheduleGaps(schedule) ?? {};
    return longest !== undefined && Number.isFinite(longest) ? longest : undefined;
  } catch {
    return undefined;
  }
}

interface FolderObject {
  readonly folder: string;
  readonly object: KubernetesObject;
}

interface FolderChart {
  readonly folder: string;
  readonly chart: string;
}

function wavesOf(parts: readonly FolderPart[], charts: readonly FolderChart[]): readonly ApplicationWaves[] {
  const folders = [...new Set([...parts, ...charts].map(({ folder }) => folder))].sort();
  return folders.map((folder) => ({
    folder,
    charts: charts.filter((one) => one.folder === folder).map(({ chart }) => chart),
    waves: wavesIn(parts.filter((one) => one.folder === folder).map(({ part }) => part)),
  }));
}

function wavesIn(parts: readonly Part[]): readonly Wave[] {
  const byWave = new Map<number, Map<string, number>>();
  for (const { kind, wave } of parts) {
    const kinds = byWave.get(wave) ?? new Map<string, number>();
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    byWave.set(wave, kinds);
  }
  return [...byWave]
    .sort(([a], [b]) => a - b)
    .map(([wave, kinds]) => ({ wave, kinds: [...kinds].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)) }));
}

/** Argo CD treats anything except a whole number as 0. */
function waveOf({ metadata }: KubernetesObject): number {
  const wave = metadata.annotations?.[SYNC_WAVE] ?? '0';
  return /^-?\d{1,9}$/.test(wave) ? Number(wave) : 0;
}

const DIFFERENCES: Readonly<Record<string, readonly IntendedDifference[]>> = {
  'linkerd-control-plane': CONTROL_PLANE_DIFFERENCES,
  'linkerd-viz': VIZ_DIFFERENCES,
  'linkerd2-cni': CNI_DIFFERENCES,
  'linkerd-jaeger': JAEGER_DIFFERENCES,
};

function differencesOf(rendered: readonly string[]): readonly ChartDifferences[] {
  return rendered
    .map((chart) => ({
      chart,
      differences: (DIFFERENCES[chart] ?? []).map(({ object, path, reason }) => ({
        place: `${object === '.' ? 'all objects' : readable(object)}, ${readable(path)}`,
        reason,
      })),
    }))
    .filter(({ differences }) => differences.length > 0);
}

function readable(expression: string): string {
  return expression
    .replace(/^\^|\$$/g, '')
    .replaceAll('/[^/]*/', '/')
    .replaceAll('\\.', '.')
    .replaceAll('(?:', '(');
}

/** The fields that Argo CD ignores in the clusters of an ApplicationSet. */
interface IgnoredBySet {
  /** The names of the ApplicationSet's clusters; undefined for all clusters. */
  readonly clusters: ReadonlySet<string> | undefined;
  readonly fields: readonly IgnoredFields[];
}

function ignoredBySet(set: KubernetesObject): readonly IgnoredBySet[] {
  if (set.kind !== 'ApplicationSet') return [];
  const entries = valueAt(set as Values, 'spec.template.spec.ignoreDifferences');
  const fields = Array.isArray(entries) ? (entries as readonly Value[]).flatMap(ignoredIn) : [];
  return [{ clusters: clustersOf(JSON.stringify(set.spec ?? {})), fields }];
}

function clustersOf(spec: string): ReadonlySet<string> | undefined {
  const paths = [...spec.matchAll(/"path":"([^"]*)\/\*"/g)].map(([, path = '']) => path);
  const folders = paths.map((path) => path.slice(path.lastIndexOf('/') + 1));
  return folders.length === 0 || folders.some((folder) => /[{}*]/.test(folder)) ? undefined : new Set(folders);
}

function ignoredFields(sets: readonly IgnoredBySet[], cluster: string): readonly IgnoredFields[] {
  const found = sets.flatMap(({ clusters, fields }) => (clusters?.has(cluster) === false ? [] : fields));
  return [...new Map(found.map((one) => [JSON.stringify(one), one])).values()];
}

function ignoredIn(entry: Value): readonly IgnoredFields[] {
  if (!isMap(entry) || typeof entry.kind !== 'string') return [];
  const { kind, name, jsonPointers, jqPathExpressions } = entry;
  const fields = [jsonPointers, jqPathExpressions].flatMap((list) => (Array.isArray(list) ? list.map(String) : []));
  return [{ object: typeof name === 'string' ? `${kind} ${name}` : kind, fields }];
}
