import type { Problem } from '#base/findings/problem';
import { secretsIn } from '#base/secrets/secret-walk';
import { mergeValues, type Values } from '#base/values';
import { stringifyYaml } from '#base/yaml-writer';
import { installRank } from '#helm/chart/install-order';
import { checkDnsLabel } from '#kubernetes/names';
import { checkKeyMaterial } from '#kubernetes/objects/key-material';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { plainCopy } from '#kubernetes/objects/plain-data';
import { checkValues } from '#kubernetes/schemas/schema';
import type { PinnedChart } from '#linkerd/charts/pinned-chart';
import { DEFAULT_LINKERD_VERSION, RELEASES } from '#linkerd/releases/known-releases';
import { type GivenRelease, releaseOf } from '#linkerd/releases/release';
import type { ChartName, RenderedChartName } from '#linkerd/renderers/chart-names';
import { chartNamed } from '#linkerd/renderers/native-charts';
import { CLI_FINDINGS } from './findings';

/** A chart to render. */
export interface RenderRequest {
  readonly chart: RenderedChartName;

  /**
   * The release of Linkerd.
   *
   * @default 'edge-26.8.3'
   */
  readonly release?: GivenRelease | undefined;

  /** Values that override the chart's; null removes a value. */
  readonly values: Values;

  /**
   * Namespace of the release.
   *
   * @default - as in Linkerd's guides: linkerd, linkerd-viz, linkerd-cni, linkerd-jaeger, linkerd-multicluster
   */
  readonly namespace?: string;

  /**
   * Name of the cluster, which determines the minute of daily jobs.
   *
   * @default - the cluster domain
   */
  readonly clusterName?: string;
}

/** Objects, or the problems of rendering them. */
export type RenderResult =
  | {
      readonly objects: readonly KubernetesObject[];
      /** Notes about values that only charts of other releases read. */
      readonly warnings: readonly Problem[];
    }
  | { readonly problems: readonly Problem[] };

/**
 * Renders a chart as `helm template` does, in Helm's install order. Returns all problems of invalid values at once.
 */
export function renderChart(request: RenderRequest): RenderResult {
  const { chart, clusterName, namespace, release = DEFAULT_LINKERD_VERSION } = request;
  const known = chartNamed(chart, releaseOf(release));
  if (known === undefined) {
    const missing = { release: releaseOf(release).version, chart };
    return { problems: [MISSING[chart as Exclude<RenderedChartName, ChartName>](missing)] };
  }
  const { data: values, problems: unwritable } = plainCopy(request.values, 'values');
  if (unwritable.length > 0) return { problems: unwritable };
  const { pinned, defaults, native, namespace: usual } = known;
  const target = namespace ?? usual;
  const all = mergeValues(defaults, values);
  const { problems: mistyped, warnings } = checkGivenValues(chart, pinned, values, release);
  const problems = [
    ...checkDnsLabel('The namespace', target),
    ...mistyped,
    ...ofOtherValues(native.check(all), mistyped),
  ];
  if (problems.length > 0) return { problems };
  const objects = inInstallOrder(native.render(all, { namespace: target, clusterName }));
  const keys = objects
    .filter((object) => secretsIn(object).some(({ is }) => is === 'private key'))
    .flatMap((object) => checkKeyMaterial(object));
  return keys.length > 0 ? { problems: keys } : { objects, warnings };
}

const MISSING = {
  'linkerd-jaeger': CLI_FINDINGS.chartNotInReleaseJaeger,
  'linkerd-multicluster': CLI_FINDINGS.chartNotInReleaseMulticluster,
} satisfies Record<Exclude<RenderedChartName, ChartName>, unknown>;

function ofOtherValues(problems: readonly Problem[], reported: readonly Problem[]): readonly Problem[] {
  const values = new Set(reported.map(({ about }) => about));
  return problems.filter(({ about }) => about === undefined || !values.has(about));
}

/** Formats objects as a stream of YAML documents, each after its marker. */
export function manifestStream(objects: readonly KubernetesObject[]): string {
  return objects.map((object) => `---\n${stringifyYaml(object)}`).join('');
}

interface CheckedValues {
  readonly problems: readonly Problem[];
  /** The problems about values that no release has. */
  readonly unknown: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** Ignores values that only other releases support, as Helm does, with a note. Values of no release are errors. */
export function checkGivenValues(
  name: RenderedChartName,
  chart: PinnedChart,
  values: Values,
  release: GivenRelease,
): CheckedValues {
  const found = checkValues(chart, values);
  const unknown = found.filter(isUnknown);
  if (unknown.length === 0) return { problems: found, unknown, warnings: [] };
  const knownBy = new Map(othersOf(name, chart).flatMap((other) => readBy(other, unknown, values)));
  return {
    problems: found.filter((problem) => !isUnknown(problem) || !knownBy.has(problem.about)),
    unknown: unknown.filter(({ about }) => !knownBy.has(about)),
    warnings: unknown.flatMap(({ about = '' }) => {
      const known = knownBy.get(about);
      return known === undefined ? [] : [ignored({ path: about, release: releaseOf(release).version, known })];
    }),
  };
}

/** Proposes only newer releases as a remedy. */
function ignored(parameters: Record<'path' | 'release' | 'known', string>): Problem {
  const age = (name: string) => RELEASES.findIndex(([version]) => version === name);
  const isRemoved = age(parameters.known) > age(parameters.release);
  const finding = isRemoved ? CLI_FINDINGS.valueIgnoredRemoved : CLI_FINDINGS.valueIgnoredRelease;
  return finding(parameters, { about: parameters.path });
}

function isUnknown({ code, cause }: Problem): boolean {
  return code === 'chart-value-refused' && cause === 'unknown';
}

/** Returns the charts of other releases, the oldest first. Of charts with the same values, it returns the newest. */
function othersOf(name: RenderedChartName, chart: PinnedChart): readonly PinnedChart[] {
  const charts = RELEASES.toReversed().flatMap(([version]) => chartNamed(name, releaseOf(version))?.pinned ?? []);
  const byValues = new Map(charts.map((one) => [one.valuesOf, one]));
  return [...byValues.values()].filter(({ valuesOf }) => valuesOf !== chart.valuesOf);
}

function readBy(
  chart: PinnedChart,
  unknown: readonly Problem[],
  values: Values,
): readonly (readonly [about: string | undefined, release: string])[] {
  const missing = new Set(
    checkValues(chart, values)
      .filter(isUnknown)
      .map(({ about }) => about),
  );
  return unknown.filter(({ about }) => !missing.has(about)).map(({ about }) => [about, chart.linkerdVersion ?? '']);
}

/** Sorts objects as Helm would install them: by kind, then by namespace and name. */
export function inInstallOrder(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  return objects
    .map((object) => ({ object, key: sortKey(object) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ object }) => object);
}

function sortKey({ apiVersion, kind, metadata }: KubernetesObject): string {
  const rank = String(installRank(kind)).padStart(2, '0');
  return [rank, kind, apiVersion, metadata.namespace ?? '', metadata.name].join('\0');
}
