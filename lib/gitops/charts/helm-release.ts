import { type ApiObject, type JsonPatch, Lazy } from 'cdk8s';
import { Construct, type IConstruct } from 'constructs';
import type { Problem } from '../../kubernetes/findings/problem';
import { FREE, keysOf } from '../../kubernetes/known-keys';
import { REFERENCES } from '../../kubernetes/references';
import { checkValues } from '../../kubernetes/schemas/schema';
import type { GivenValues, Values } from '../../kubernetes/values';
import { stringifyYaml } from '../../kubernetes/yaml';
import { checkSecretsInValues } from '../../linkerd/charts/private-keys';
import { checkChart, type PinnedChart } from '../../linkerd/releases/pinned-chart';
import { addRule } from '../tree/add-rule';
import { Cluster } from '../tree/cluster';
import { setHomeNamespace } from '../tree/home-namespace';
import { manifest } from '../tree/manifest';
import type { Mirror } from '../tree/mirror';
import { propsOf } from '../tree/prop-of-shape';
import { type Declarations, declareReferences } from '../tree/references';
import { declareRelease } from '../tree/releases';
import { CHART_FINDINGS } from './findings';
import { type AddedValues, LayeredValues } from './layered-values';
import { ObjectPatches, type Patchable } from './object-patches';

/** A chart and its values. */
export interface HelmReleaseProps extends Declarations {
  readonly chart: PinnedChart;

  /** Namespace of the release. */
  readonly namespace: string;

  /**
   * Values of the chart.
   *
   * @default - the chart's own
   */
  readonly values?: GivenValues;

  /**
   * Values that `values` override.
   *
   * @internal
   */
  readonly defaults?: GivenValues;

  /**
   * Values that the props of the surrounding construct set; `values` must not contradict them.
   *
   * @internal
   */
  readonly fromProps?: GivenValues;

  /**
   * Returns the declarations for its values: what it provides and requires.
   *
   * @internal
   */
  readonly declare?: (values: Values) => Declarations;
}

const PROPS = keysOf<HelmReleaseProps>({
  chart: FREE,
  namespace: true,
  values: FREE,
  defaults: FREE,
  fromProps: FREE,
  declare: { is: 'a function of the values', fits: (value) => typeof value === 'function', isRequired: false },
  provides: REFERENCES,
  requires: REFERENCES,
  external: REFERENCES,
});

/**
 * One Helm chart at an exact version. In a Cluster it becomes a dependency of the namespace folder's umbrella chart; in
 * a plain cdk8s chart, whose folders the library does not write, it becomes an Argo CD Application with the same source
 * and values.
 */
export class HelmRelease extends Construct implements Patchable {
  readonly chart: PinnedChart;
  readonly namespace: string;
  private readonly layers: LayeredValues;
  private readonly patches = new ObjectPatches();

  constructor(scope: Construct, id: string, props: HelmReleaseProps) {
    super(scope, id);
    const given = propsOf<HelmReleaseProps>(this, PROPS, props);
    setHomeNamespace(this, given.namespace);
    this.chart = fromMirror(wellFormed(given.chart), Cluster.find(this)?.mirror);
    this.namespace = given.namespace;
    this.layers = new LayeredValues(given, scope);
    declareReferences(this, () => this.declarations(given));
    declareRelease(this, this);
    addRule(this, () => [
      ...(missingIn(given.chart).length > 0 ? checkChartShape(given.chart) : checkChart(this.chart)),
      ...this.layers.checkConflicts(),
      ...checkValues(this.chart, this.values),
      ...checkSecretsInValues(this.values),
      ...this.patches.checkUnrendered(),
    ]);
    if (Cluster.find(this) === undefined) this.addApplication();
  }

  /** The values of the chart. Complete at synth: until then, constructs may add to them. */
  get values(): Values {
    return this.layers.values;
  }

  /**
   * Adds values that the props of another construct set; the user's must not contradict them.
   *
   * @internal
   */
  addValues(values: AddedValues, from: IConstruct): void {
    this.layers.add(values, from);
  }

  patch(kind: string, name: string, ...operations: readonly JsonPatch[]): void {
    this.patches.add(kind, name, operations);
  }

  /** Returns nothing: Argo CD renders the chart. */
  objects(): readonly ApiObject[] {
    return [];
  }

  private declarations({ provides = [], requires = [], external, declare }: HelmReleaseProps): Declarations {
    const declared = declare?.(this.values) ?? {};
    return {
      provides: [...provides, ...(declared.provides ?? [])],
      requires: [...requires, ...(declared.requires ?? [])],
      external,
    };
  }

  private addApplication(): void {
    manifest(this, 'application', {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: this.chart.name, namespace: 'argocd' },
      spec: {
        project: 'default',
        source: {
          chart: this.chart.name,
          repoURL: this.chart.repository,
          targetRevision: this.chart.version,
          // As text: cdk8s drops nulls from objects, and for a chart null means "remove the default".
          helm: {
            releaseName: this.chart.name,
            values: Lazy.any({ produce: () => stringifyYaml(this.values) }),
          },
        },
        destination: { server: 'https://kubernetes.default.svc', namespace: this.namespace },
        syncPolicy: { automated: { prune: true, selfHeal: true }, syncOptions: ['ServerSideApply=true'] },
      },
    });
  }
}

/** The parts of a chart that untyped code may omit. */
const EMPTY = {
  name: '',
  version: '',
  repository: '',
  kinds: [],
  foreignNamespaces: [],
} as const satisfies PinnedChart;

/** Returns the chart, with missing parts, which are reported, filled in. */
function wellFormed(chart: PinnedChart): PinnedChart {
  return missingIn(chart).length === 0 ? chart : { ...EMPTY, ...chart };
}

/** Returns the chart from the repository of a cluster's mirror. */
function fromMirror(chart: PinnedChart, { charts }: Mirror = {}): PinnedChart {
  return typeof charts === 'string' ? { ...chart, repository: charts } : chart;
}

function missingIn(chart: Partial<PinnedChart> | undefined): readonly string[] {
  return Object.keys(EMPTY).filter((key) => chart?.[key as keyof PinnedChart] === undefined);
}

function checkChartShape(chart: PinnedChart): readonly Problem[] {
  const missing = missingIn(chart).join(', ');
  return [CHART_FINDINGS.chartIncomplete({ missing })];
}
