import { FileReader } from '../compare/file-contents';
import { ARGOCD_FOLDER, type Output } from '../compare/output';
import { withoutSecrets } from '../compare/without-secrets';
import { type ClusterDiff, clusterDiff, type DiffTools, platformDiff } from './cluster-diff';
import { clusterSide } from './cluster-side';
import type { Consequence } from './consequences/consequence';
import { applicationSets, syncingOf } from './consequences/syncing';
import { type Change, type ClusterSummary, DIFF_VERSION, type DiffGroup, type OutputDiff } from './model';
import { ringIn, ringShares } from './rings';

/** Two outputs of a platform, and what to call them. */
export interface Outputs {
  readonly before: Output;
  readonly after: Output;
  readonly from: string;
  readonly to: string;
}

/** Compares two outputs of a platform. No key and no password is in the result. */
export function outputDiff({ before, after, from, to }: Outputs): OutputDiff {
  const reader = new FileReader();
  const sets = applicationSets(clusterSide(after.get(ARGOCD_FOLDER) ?? new Map()), reader);
  const tools: DiffTools = { reader, syncingOf: (cluster) => syncingOf(cluster, sets) };
  const clusters = new Map<string, ClusterSummary>();
  const items = new Items();
  for (const name of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const [old, next] = [before.get(name), after.get(name)];
    const diff = name === ARGOCD_FOLDER ? platformDiff(old, next, reader) : clusterDiff(name, old, next, tools);
    const ring = ringIn(next) ?? ringIn(old);
    clusters.set(name, { name, state: diff.state, ...(ring === undefined ? {} : { ring }) });
    items.add(name, diff);
  }
  return {
    version: DIFF_VERSION,
    from,
    to,
    clusters: [...clusters.values()],
    groups: items.groups().map((group) => ({ ...group, rings: ringShares(group.clusters, clusters) })),
  };
}

/** Changes and consequences, each once, with the clusters that have it. */
class Items {
  private readonly known = new Map<string, { readonly item: Item; readonly clusters: string[] }>();
  private readonly texts = new WeakMap<object, string>();

  add(cluster: string, { changes, consequences }: ClusterDiff): void {
    for (const change of changes) this.note(cluster, { change });
    for (const consequence of consequences) this.note(cluster, { consequence: withoutSecrets(consequence) });
  }

  /** The items by the clusters that have them: those of most clusters first. */
  groups(): readonly Omit<DiffGroup, 'rings'>[] {
    const groups = new Map<string, { clusters: readonly string[]; consequences: Consequence[]; changes: Change[] }>();
    for (const { item, clusters } of this.known.values()) {
      const key = clusters.join('\n');
      const group = groups.get(key) ?? { clusters, consequences: [], changes: [] };
      if ('change' in item) group.changes.push(item.change);
      else group.consequences.push(item.consequence);
      groups.set(key, group);
    }
    return [...groups.values()]
      .map(({ clusters, consequences, changes }) => ({ clusters, consequences: bySeverity(consequences), changes }))
      .sort(
        (a, b) => b.clusters.length - a.clusters.length || ((a.clusters[0] ?? '') < (b.clusters[0] ?? '') ? -1 : 1),
      );
  }

  private note(cluster: string, item: Item): void {
    const key = this.keyOf(item);
    const found = this.known.get(key);
    if (found === undefined) this.known.set(key, { item, clusters: [cluster] });
    else if (found.clusters.at(-1) !== cluster) found.clusters.push(cluster);
  }

  /** Fields are shared by the clusters of a fleet, and written out once. */
  private keyOf(item: Item): string {
    if ('consequence' in item) return JSON.stringify(item);
    const { fields, ...others } = item.change;
    const known = this.texts.get(fields) ?? JSON.stringify(fields);
    this.texts.set(fields, known);
    return `${JSON.stringify(others)} ${known}`;
  }
}

type Item = { readonly change: Change } | { readonly consequence: Consequence };

const SEVERITIES: readonly Consequence['severity'][] = ['error', 'warning', 'info'];

function bySeverity(consequences: readonly Consequence[]): readonly Consequence[] {
  return SEVERITIES.flatMap((severity) => consequences.filter((consequence) => consequence.severity === severity));
}
