import type { FilePlace, Finding } from '#base/findings/finding';
import { findingsAt } from '#base/findings/finding';
import type { Problem } from '#base/findings/problem';
import { objectOf } from '#base/is-object';
import { mergeValues, type Values } from '#base/values';
import type { Chart } from '#helm/chart/chart';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import type { PinnedChart } from '#linkerd/charts/pinned-chart';
import { partOfChart } from '#linkerd/releases/charts';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import { RENDERED_CHART_NAMES } from '#linkerd/renderers/chart-names';
import type { Declarations, Release } from '../../checks/cluster/checked-cluster';
import type { PlacedMap } from '../repository/documents';
import type { ChartRelease } from '../repository/release-of-sources';
import { enabledIn } from '../repository/sources/local-chart';
import { isChartElsewhere, isReleaseKind, readObject } from '../repository/sources/objects';
import type { HelmSource, OtherSource, Place, ReadSources, Repository } from '../repository/sources/source';
import { FILLED, VARIABLE } from '../repository/variables';
import { versionRange } from '../repository/version-range';
import type { NotRead } from './unread';

/** A chart that files install, with its values. */
export type ChartSource = Omit<HelmSource, 'chart'> & Pick<OtherSource, 'chart'>;

/** A dependency of a chart in a folder. Its values are in the values.yaml of that chart. */
export interface FoundChart {
  readonly chart: ChartSource;
  readonly source: FilePlace;
}

/** A chart that a controller installs. */
export interface InstalledChart {
  readonly release: Release;
  readonly declarations: Declarations;
  readonly findings: readonly Finding[];
  /** The version of the chart, if no known release has it. The values are then not checked. */
  readonly unknownVersion?: string | undefined;
}

interface ChartsOf {
  readonly charts: readonly ChartSource[];
  /** Charts with some values in other places, or filled in later. */
  readonly partial: readonly PartialChart[];
  readonly unread: readonly Omit<NotRead, 'source'>[];
  /** The texts of files with values; overriding files come last. */
  readonly texts: readonly string[];
}

/** A chart with some unknown values. */
export interface PartialChart extends ChartSource {
  /** All values of the chart, with the variables in them; undefined if some are in other places. */
  readonly raw?: Values | undefined;
}

/** The charts of other projects with values that rules read. */
const OTHERS: readonly string[] = ['cert-manager', 'trust-manager', 'cilium'];

/**
 * Returns the charts that an object of Flux, Argo CD or k3s installs, if rules read their values.
 *
 * @param around - the objects and files that may contain its values
 */
export function chartsOf(
  object: KubernetesObject,
  around: { readonly objects: () => readonly KubernetesObject[]; readonly repository: Repository },
): ChartsOf {
  if (!isReleaseKind(object)) return { charts: [], partial: [], unread: [], texts: [] };
  const values = object as unknown as Values;
  const objects = around.objects() as unknown as readonly Values[];
  const file = `${object.kind} ${object.metadata.name}`;
  const place: Place = { file, path: '', objects, repository: around.repository, template: FILLED };
  const texts: string[] = [];
  const ofFiles = readObject(values, { ...place, onText: (content) => texts.push(content) });
  // The files do not include folders of charts.
  const read = chartsIn(ofFiles).length > 0 ? ofFiles : readObject(values, { file, path: '', objects });
  const { problems } = read;
  const isPartial = ({ place: own }: ChartSource) =>
    problems.some(({ parameters }) => String(parameters?.place).startsWith(SOURCE.exec(own)?.[0] ?? own));
  const all = chartsIn(read);
  const raw = problems.every(isFilled) ? chartsIn(readObject(values, { ...place, keepsTemplates: true })) : [];
  return {
    texts: all.length > 0 ? texts : [],
    charts: all.filter((chart) => !isPartial(chart)),
    partial: all.filter(isPartial).map((chart) => ({
      ...chart,
      raw: raw.find((one) => one.place === chart.place && one.chart === chart.chart)?.values,
    })),
    unread: [
      ...problems
        .filter((problem) => !isFilled(problem))
        .slice(0, 1)
        .map(({ what }) => ({ why: 'values' as const, reason: what })),
      ...(problems.some(isFilled) || all.some(({ version = '' }) => FILLED.test(version))
        ? [{ why: filledBy(object) }]
        : []),
      ...(isChartElsewhere(values, objects) ? [{ why: 'elsewhere' as const }] : []),
    ],
  };
}

/** The place of a release in an object, or of one of its sources. */
const SOURCE = /^.*?: spec(?:\.template\.spec)?(?:\.sources?(?:\[\d+\])?)?/;

function isFilled({ code, cause }: Problem): boolean {
  return code === 'release-refused' && cause === 'template';
}

function filledBy(object: KubernetesObject): 'placeholder' | 'substitution' {
  return VARIABLE.test(JSON.stringify(object.spec)) ? 'substitution' : 'placeholder';
}

function chartsIn({ sources, others }: ReadSources): readonly ChartSource[] {
  const named = sources.flatMap((source) => (source.chart === undefined ? [] : [{ ...source, chart: source.chart }]));
  return [...named, ...others.filter(({ chart }) => OTHERS.includes(chart))];
}

/** Returns the charts that a kustomization renders, if rules read their values. */
export function chartsOfInflation({ data, file }: PlacedMap, repository: Repository): readonly FoundChart[] {
  return chartsIn(readObject(data, { file, path: '', repository })).map((chart) => ({ chart, source: { file } }));
}

/** Returns the release of a chart, and the findings about its values. */
export function installedChart(
  source: ChartSource,
  { path, creates }: { readonly path: string; readonly creates: boolean },
): InstalledChart {
  const known = chartRelease(source);
  const release = known !== undefined && 'release' in known ? known.release : undefined;
  const pinned = pinnedChart(source, release);
  const { namespace: usual, problems, provides } = checkedValues(source, pinned, known);
  const namespace = source.namespace ?? usual ?? 'default';
  return {
    release: { chart: pinned, namespace, values: source.values },
    declarations: {
      provides: [...provides(namespace), ...(creates ? [{ kind: 'Namespace' as const, name: namespace }] : [])],
    },
    findings: findingsAt(path, problems),
    ...(known !== undefined && 'unknown' in known && isGiven(source) && { unknownVersion: known.unknown }),
  };
}

function isGiven({ values }: ChartSource): boolean {
  return Object.keys(values).length > 0;
}

/** Whether the controller creates the namespace of a release. */
export function createsNamespace({ spec }: KubernetesObject): boolean {
  const { install, createNamespace, syncPolicy, template } = objectOf(spec);
  const policy = objectOf(syncPolicy ?? objectOf(objectOf(template).spec).syncPolicy);
  const options: unknown = policy.syncOptions;
  return (
    createNamespace === true ||
    objectOf(install).createNamespace === true ||
    (Array.isArray(options) && options.includes('CreateNamespace=true'))
  );
}

function chartRelease(source: ChartSource): ChartRelease | undefined {
  const part = partOfChart(source.chart);
  if (part === undefined) return undefined;
  const { releaseOfPart } =
    require('../repository/release-of-sources') as typeof import('../repository/release-of-sources');
  return releaseOfPart(source, part);
}

function pinnedChart({ chart, version = '' }: ChartSource, release: LinkerdVersion | undefined): PinnedChart {
  const part = partOfChart(chart);
  if (part !== undefined && release !== undefined) {
    const { releaseOf } = require('#linkerd/releases/release') as typeof import('#linkerd/releases/release');
    const known = releaseOf(release).charts[part];
    if (known !== undefined) return known;
  }
  const { certManagerChart, trustManagerChart } =
    require('#linkerd/releases/cert-manager') as typeof import('#linkerd/releases/cert-manager');
  const has = (known: string) => versionRange(version)?.(known) === true;
  if (chart === 'cert-manager' && has('v1.21.1')) return certManagerChart('v1.21.1', []);
  if (chart === 'trust-manager' && has('v0.24.0')) return trustManagerChart('v0.24.0', []);
  return { name: chart, version, repository: '', kinds: [], foreignNamespaces: [] };
}

interface CheckedValues {
  /** The usual namespace of the chart. */
  readonly namespace: string | undefined;
  readonly problems: readonly Problem[];
  readonly provides: (namespace: string) => NonNullable<Declarations['provides']>;
}

function checkedValues(source: ChartSource, pinned: PinnedChart, known: ChartRelease | undefined): CheckedValues {
  const { chart: name, values } = source;
  const rendered = RENDERED_CHART_NAMES.find((one) => one === name);
  if (known === undefined || rendered === undefined || 'unknown' in known) {
    const { checkValues } = require('#kubernetes/schemas/schema') as typeof import('#kubernetes/schemas/schema');
    const problems = pinned.valuesOf === undefined ? [] : checkValues(pinned, values);
    return { namespace: undefined, problems, provides: () => [] };
  }
  const { checkGivenValues } = require('../render-chart') as typeof import('../render-chart');
  const { chartNamed } =
    require('#linkerd/renderers/native-charts') as typeof import('#linkerd/renderers/native-charts');
  const { releaseOf } = require('#linkerd/releases/release') as typeof import('#linkerd/releases/release');
  const release = 'release' in known ? known.release : known.closest;
  const chart = chartNamed(rendered, releaseOf(release));
  if ('closest' in known) {
    // Types and defaults may differ from the closest release, but a name that no release has is a mistake.
    const { unknown } = checkGivenValues(rendered, chart?.pinned ?? pinned, values, release);
    return { namespace: chart?.namespace, problems: unknown, provides: () => [] };
  }
  const { problems: errors, warnings } = checkGivenValues(rendered, pinned, values, release);
  return {
    namespace: chart?.namespace,
    problems: [...errors, ...warnings],
    provides: (namespace) =>
      errors.length > 0 || chart === undefined ? [] : chart.provides(mergeValues(chart.defaults, values), namespace),
  };
}

/** A chart on which another chart depends. */
export type Dependency = NonNullable<Chart['metadata']['dependencies']>[number];

/**
 * Returns the dependencies of a chart in a folder, with their values in its values.yaml.
 *
 * @param place - returns the place of a key in the values
 */
export function dependenciesOf(
  dependencies: readonly Dependency[],
  values: Values,
  place: (key: string) => FilePlace,
): readonly FoundChart[] {
  return enabledIn(dependencies, values).flatMap(({ chart: { name, version }, key, own = {} }) => {
    if (partOfChart(name) === undefined && !OTHERS.includes(name)) return [];
    const source = place(key);
    return [{ source, chart: { chart: name, version, values: own, place: source.file } }];
  });
}
