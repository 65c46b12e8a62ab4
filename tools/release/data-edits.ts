import type { GROUP_COLUMNS } from '../conformance/releases';

/** The name of a chart for which releases with equal sources form groups. */
export type GroupedChart = keyof typeof GROUP_COLUMNS;

/** The files of groups in `packages/linkerd/releases`, by chart. */
export const GROUP_FILES: Readonly<Record<GroupedChart, string>> = {
  'linkerd-control-plane': 'groups/control-plane.ts',
  'linkerd-viz': 'groups/viz.ts',
  'linkerd2-cni': 'groups/cni.ts',
  'linkerd-crds': 'groups/crds.ts',
  'linkerd-multicluster': 'groups/multicluster.ts',
};

/** The charts for which releases have groups. */
export const CHARTS = Object.keys(GROUP_FILES) as readonly GroupedChart[];

/** Adds a row to the table of releases, above all others. */
export function withRow(source: string, row: readonly string[]): string {
  const start = 'export const RELEASES = [\n';
  return inserted(source, start, `${start}  [${row.map((cell) => `'${cell}'`).join(', ')}],\n`);
}

/** A group of releases of a chart in its data file. */
export interface GroupEntry {
  readonly group: string;
  /** The release whose values the group uses. */
  readonly values: string;
  /** The oldest minor version of Kubernetes, if the data file has it. */
  readonly kubernetes?: string;
}

/** Adds a group above another group, with the same templates. */
export function withGroup(source: string, after: string, { group, values, kubernetes }: GroupEntry): string {
  const entry = new RegExp(`^ {2}'${after}': \\{ values: '[^']+', (.*) \\},$`, 'm').exec(source);
  if (source.includes(`  '${group}': {`)) throw new Error(`'${group}' already has an entry`);
  if (entry === null) throw new Error(`'${after}' has no entry on a single line, above which '${group}' can be added`);
  const [line, rest = ''] = entry;
  const others = kubernetes === undefined ? rest : rest.replace(/kubernetes: '[^']+'/, `kubernetes: '${kubernetes}'`);
  return inserted(source, line, `  '${group}': { values: '${values}', ${others} },\n${line}`);
}

/** Adds the pins of a release's values below the pins of all other releases of the chart's line. */
export function withPins(cdk8sYaml: string, chart: string, release: string, files: readonly string[]): string {
  const line = release.replace(/-.*/, '');
  const last = [...cdk8sYaml.matchAll(new RegExp(`^ {2}- charts/${chart}/(${line}-[^/]+)/[^:]+:=.*\n`, 'gm'))].at(-1);
  if (last === undefined) throw new Error(`cdk8s.yaml has no pins of ${chart} of ${line}`);
  const [text, before = ''] = last;
  const pins = files.map((file) => text.replaceAll(before, release).replace(/values[\w-]*\.yaml/g, file));
  return inserted(cdk8sYaml, text, `${text}${pins.join('')}`);
}

function inserted(source: string, at: string, text: string): string {
  const parts = source.split(at);
  if (parts.length !== 2) throw new Error(`${JSON.stringify(at)} does not occur exactly once`);
  return parts.join(text);
}
