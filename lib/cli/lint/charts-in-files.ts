import type { FilePlace, Finding } from '#base/findings/finding';
import { errorsAt, warningsAt } from '#base/findings/finding';
import { objectOf } from '#base/is-object';
import { isMap, mergeValues, type Values, valueAt } from '#base/values';
import type { PinnedChart } from '../../charts/pinned-chart';
import type { Declarations } from '../../gitops/tree/references';
import type { Release } from '../../gitops/tree/releases';
import type { KubernetesObject } from '../../kubernetes/kubernetes-object';
import { partOfChart } from '../../linkerd/releases/charts';
import type { LinkerdVersion } from '../../linkerd/releases/known-releases';
import { RENDERED_CHART_NAMES } from '../chart-names';
import { isReleaseKind, readObject } from '../migrate/sources/objects';
import type { HelmSource, OtherSource } from '../migrate/sources/source';
import type { NotRead } from './unread';

/** A chart that files install, with the values that they give it. */
export type ChartSource = Omit<HelmSource, 'chart'> & Pick<OtherSource, 'chart'>;

/** A chart whose values no object has: one that depends on it has them in its values.yaml. */
export interface FoundChart {
  readonly chart: ChartSource;
  readonly source: FilePlace;
}

/** What a controller installs. */
export interface InstalledChart {
  readonly release: Release;
  readonly declarations: Declarations;
  readonly findings: readonly Finding[];
}

/** The charts that an object installs. */
interface ChartsOf {
  readonly charts: readonly ChartSource[];
  /** Those of which a part of the values is elsewhere. */
  readonly partial: readonly ChartSource[];
  readonly unread: readonly Omit<NotRead, 'source'>[];
}

/** The charts of other projects about whose values rules ask. */
const OTHERS: readonly string[] = ['cert-manager', 'trust-manager', 'cilium'];

/**
 * Returns the charts that an object of Flux, Argo CD or k3s installs, as far as the rules ask about them.
 *
 * @param beside - returns the objects in which its values may be
 */
export function chartsOf(object: KubernetesObject, beside: () => readonly KubernetesObject[]): ChartsOf {
  if (!isReleaseKind(object)) return { charts: [], partial: [], unread: [] };
  const name = `${object.kind} ${object.metadata.name}`;
  const { sources, others, partial, problems } = readObject(object as unknown as Values, {
    file: name,
    path: '',
    objects: beside() as unknown as readonly Values[],
  });
  return {
    charts: [...named(sources), ...others.filter(({ chart }) => OTHERS.includes(chart))],
    partial: named(partial),
    unread: problems.slice(0, 1).map(({ what }) => ({ why: 'values', reason: what })),
  };
}

function named(sources: readonly HelmSource[]): readonly ChartSource[] {
  return sources.flatMap((source) => (source.chart === undefined ? [] : [{ ...source, chart: source.chart }]));
}

/** Returns the release of a chart, and what is wrong with its values. */
export function installedChart(
  source: ChartSource,
  { path, creates }: { readonly path: string; readonly creates: boolean },
): InstalledChart {
  const version = releaseVersionOf(source);
  const pinned = pinnedChart(source, version);
  const { namespace: usual, errors, notes, provides } = checkedValues(source, pinned, version);
  const namespace = source.namespace ?? usual ?? 'default';
  return {
    release: { chart: pinned, namespace, values: source.values },
    declarations: {
      provides: [...provides(namespace), ...(creates ? [{ kind: 'Namespace' as const, name: namespace }] : [])],
    },
    findings: [...errorsAt(path, errors), ...warningsAt(path, notes)],
  };
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

function releaseVersionOf({ chart, values, version }: ChartSource): LinkerdVersion | undefined {
  if (partOfChart(chart) === undefined) return undefined;
  const { releaseOfSources } =
    require('../migrate/release-of-sources') as typeof import('../migrate/release-of-sources');
  return releaseOfSources([{ chart: chart as HelmSource['chart'], values, version }]);
}

function pinnedChart({ chart, version = '' }: ChartSource, release: LinkerdVersion | undefined): PinnedChart {
  const part = partOfChart(chart);
  if (part !== undefined && release !== undefined) {
    const { releaseOf } = require('../../linkerd/releases/release') as typeof import('../../linkerd/releases/release');
    const known = releaseOf(release).charts[part];
    if (known !== undefined) return known;
  }
  const { certManagerChart, trustManagerChart } =
    require('../../linkerd/releases/cert-manager') as typeof import('../../linkerd/releases/cert-manager');
  const exact = version.replace(/^v?/, 'v');
  if (chart === 'cert-manager' && exact === 'v1.21.1') return certManagerChart(exact, []);
  if (chart === 'trust-manager' && exact === 'v0.24.0') return trustManagerChart(exact, []);
  return { name: chart, version, repository: '', kinds: [], foreignNamespaces: [] };
}

interface CheckedValues {
  /** The usual namespace of the chart. */
  readonly namespace: string | undefined;
  readonly errors: Parameters<typeof errorsAt>[1];
  readonly notes: Parameters<typeof errorsAt>[1];
  readonly provides: (namespace: string) => NonNullable<Declarations['provides']>;
}

function checkedValues(
  { chart: name, values }: ChartSource,
  pinned: PinnedChart,
  release: LinkerdVersion | undefined,
): CheckedValues {
  const rendered = RENDERED_CHART_NAMES.find((one) => one === name);
  if (rendered === undefined || release === undefined) {
    const { checkValues } =
      require('../../kubernetes/schemas/schema') as typeof import('../../kubernetes/schemas/schema');
    const errors = pinned.valuesOf === undefined ? [] : checkValues(pinned, values);
    return { namespace: undefined, errors, notes: [], provides: () => [] };
  }
  const { checkGivenValues } = require('../render-chart') as typeof import('../render-chart');
  const { chartNamed } = require('../native-charts') as typeof import('../native-charts');
  const { releaseOf } = require('../../linkerd/releases/release') as typeof import('../../linkerd/releases/release');
  const { problems: errors, warnings: notes } = checkGivenValues(rendered, pinned, values, release);
  const chart = chartNamed(rendered, releaseOf(release));
  return {
    namespace: chart?.namespace,
    errors,
    notes,
    provides: (namespace) =>
      errors.length > 0 || chart === undefined ? [] : chart.provides(mergeValues(chart.defaults, values), namespace),
  };
}

/**
 * Returns the charts that one in a folder depends on, with the values for them in its values.yaml.
 *
 * @param lineOf - returns the line of a key in the values
 */
export function dependenciesOf(
  dependencies: readonly {
    readonly name: string;
    readonly alias: string;
    readonly version: string;
    readonly condition: string;
  }[],
  values: Values,
  place: (key: string) => FilePlace,
): readonly FoundChart[] {
  return dependencies.flatMap(({ name, alias, version, condition }) => {
    const isKnown = partOfChart(name) !== undefined || OTHERS.includes(name);
    if (!isKnown || (condition !== '' && valueAt(values, condition) === false)) return [];
    const key = alias === '' ? name : alias;
    const own = values[key];
    const source = place(key);
    return [{ source, chart: { chart: name, version, values: isMap(own) ? own : {}, place: source.file } }];
  });
}
