import { chartVersions } from './chart-versions';
import type { LinkerdCharts } from './linkerd-charts';

/** A part of Linkerd with a chart of its own. */
export type LinkerdPart = keyof LinkerdCharts;

/** The name of each part's chart. */
export const CHART_OF_PART: Readonly<Record<LinkerdPart, string>> = {
  crds: 'linkerd-crds',
  cni: 'linkerd2-cni',
  controlPlane: 'linkerd-control-plane',
  viz: 'linkerd-viz',
  jaeger: 'linkerd-jaeger',
  multicluster: 'linkerd-multicluster',
};

/** The parts, in the order in which they are upgraded. */
export const LINKERD_PARTS = Object.keys(CHART_OF_PART) as readonly LinkerdPart[];

/** The part of which a chart is; undefined for charts of others. */
export function partOfChart(name: string): LinkerdPart | undefined {
  return LINKERD_PARTS.find((part) => CHART_OF_PART[part] === name);
}

/** The one release whose charts have versions of their own. */
const STABLE = 'stable-2.14.10';

/** The release that a chart belongs to; undefined for charts of others, and for releases whose name does not follow. */
export function releaseOfChart({
  name,
  version,
}: {
  readonly name: string;
  readonly version: string;
}): string | undefined {
  const part = partOfChart(name);
  if (part === undefined) return undefined;
  const [, edge] = /^20(\d\d\.\d+\.\d+)$/.exec(version) ?? [];
  if (edge !== undefined) return `edge-${edge}`;
  return chartVersions(STABLE)[part] === version ? STABLE : undefined;
}
