import { FileReader } from '../../../gitops/changes/file-contents';
import { ARGOCD_FOLDER } from '../../../gitops/synth/output/file-names';
import { unmarked } from '../../../kubernetes/findings/sealed-data';
import { mergeValues } from '../../../kubernetes/values';
import { CHART_OF_PART, LINKERD_PARTS } from '../../../linkerd/releases/charts';
import { clusterContents } from '../../compare/cluster-contents';
import { clusterFiles, type Output } from '../../compare/output';
import type { ClusterGroup, ClusterReport, PlatformReport, ReportedWarning } from '../model';
import { differencesOf, ignoredFields } from './differences';
import { pkiIn } from './pki';
import { schedulesIn } from './schedules';
import { type FolderObject, wavesOf } from './sync-waves';

/** Reads from an output all that a report tells. Clusters that have the same to tell are one group. */
export function readReport(output: Output): PlatformReport {
  const reader = new FileReader();
  const shared = output.get(ARGOCD_FOLDER);
  const argocd = shared === undefined ? [] : objectsIn(shared, reader).objects.map(({ object }) => object);
  const groups = new Map<string, { clusters: string[]; report: ClusterReport }>();
  for (const name of [...output.keys()].filter((name) => name !== ARGOCD_FOLDER).sort()) {
    const texts = output.get(name);
    if (texts === undefined) continue;
    const report = { ...clusterReport(name, texts, reader), ignored: ignoredFields(argocd, name) };
    const key = JSON.stringify(report);
    const group = groups.get(key) ?? { clusters: [], report };
    group.clusters.push(name);
    groups.set(key, group);
  }
  // No key and no password is told, though the output should have none.
  return unmarked({ groups: [...groups.values()] satisfies ClusterGroup[] });
}

function clusterReport(
  cluster: string,
  texts: ReadonlyMap<string, string>,
  reader: FileReader,
): Omit<ClusterReport, 'ignored'> {
  const { files, index } = clusterFiles(texts);
  const { objects, unreadable } = objectsIn(files, reader);
  const { charts, installed, values } = clusterContents({ files, index }, reader);
  const all = objects.map(({ object }) => object);
  const parts = LINKERD_PARTS.filter((part) => installed?.releases[part] !== undefined);
  const inflated = new Set(charts.map(({ name }) => name));
  const rendered = parts.map((part) => CHART_OF_PART[part]).filter((name) => !inflated.has(name));
  const others = charts.filter(({ name }) => !parts.some((part) => CHART_OF_PART[part] === name));
  return {
    releases: [
      ...parts.map((part) => `${CHART_OF_PART[part]} ${installed?.releases[part]}`),
      ...others.map(({ name, version }) => `${name} ${version}`),
    ],
    pki: pkiIn(all, mergeValues({}, values.controlPlane?.values ?? {})),
    schedules: schedulesIn(all),
    waves: wavesOf(
      objects,
      charts.map(({ name, version, namespace }) => ({ folder: namespace, chart: `${name} ${version}` })),
    ),
    ...(index.warnings && { warnings: index.warnings.map((warning) => withoutCluster(warning, cluster)) }),
    differences: differencesOf(rendered),
    unreadable,
  };
}

/** Clusters of a fleet have the same warnings at the same constructs. */
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
