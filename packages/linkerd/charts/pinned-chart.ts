import type { Problem } from '#base/findings/problem';
import { checkDnsLabel } from '#kubernetes/names';
import { checkGroupKind } from '#kubernetes/objects/group-kind';
import { checkUrlCredentials } from '#kubernetes/urls';
import { ANY_CHART_FINDINGS } from './findings';

/** A kind and its API group, which is empty for the core group. */
export type GroupKindName = `${string}/${Capitalize<string>}`;

/** A Helm chart at one exact version, with the facts that Argo CD needs before it renders the chart. */
export interface PinnedChart {
  /** Name in the chart repository. */
  readonly name: string;
  /** Exact chart version, never a range. */
  readonly version: string;
  /** URL of the chart repository. */
  readonly repository: string;
  /**
   * The schema of its values in `imports/`: the release whose `values.yaml` it was read from.
   *
   * @default - its values are not checked
   */
  readonly valuesOf?: string;
  /**
   * The chart's default for its value `linkerdVersion`, if it has one: its own release. Charts share one import if all
   * other values are equal.
   *
   * @default - as in the release that `valuesOf` names
   */
  readonly linkerdVersion?: string;
  /**
   * All kinds that the chart can render, as `group/Kind`: `apps/Deployment`, `/ConfigMap` for the core group. Without a
   * version.
   */
  readonly kinds: readonly GroupKindName[];
  /** Namespaces other than the release's own that the chart writes to. */
  readonly foreignNamespaces: readonly string[];
}

/** SemVer 2.0 (https://semver.org), with the "v" that Helm allows and cert-manager's charts use. */
const EXACT =
  /^v?(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

/** Returns a chart that also writes to other namespaces. */
export function alsoWritingTo(chart: PinnedChart, namespaces: readonly string[]): PinnedChart {
  return { ...chart, foreignNamespaces: [...new Set([...chart.foreignNamespaces, ...namespaces])] };
}

/** Checks a chart's pins, apart from its values. */
export function checkChart(chart: PinnedChart): readonly Problem[] {
  const { name, repository, kinds, foreignNamespaces } = chart;
  return [
    ...checkPin(chart),
    ...checkUrlCredentials(`The repository of chart ${name}`, repository),
    ...kinds.flatMap((kind, index) => checkGroupKind(`kinds[${index}] of chart ${name}`, kind)),
    ...foreignNamespaces.flatMap((namespace) => checkDnsLabel(`A foreign namespace of chart ${name}`, namespace)),
  ];
}

/** Checks that a chart is pinned: the same files always deploy the same chart. */
export function checkPin({ name, version }: Pick<PinnedChart, 'name' | 'version'>): readonly Problem[] {
  if (EXACT.test(version)) return [];
  return [ANY_CHART_FINDINGS.chartVersionInexact({ chart: name, version })];
}
