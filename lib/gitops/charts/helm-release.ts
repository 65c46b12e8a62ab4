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
   * Values that give way to `values`.
   *
   * @internal
   */
  readonly defaults?: GivenValues;

  /**
   * Values that follow from props of the construct around; `values` must not contradict them.
   *
   * @internal
   */
  readonly fromProps?: GivenValues;

  /**
   * The declarations that follow from its values, of what it brings along and refers to.
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
 * a plain cdk8s chart, where no writer of ours makes folders, an Argo CD Application with the same source and values.
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

  /** The values that the chart gets. Complete at synth: until then, constructs may add to them. */
  get values(): Values {
    return this.layers.values;
  }

  /**
   * Adds values that follow from the props of another construct; the user's must not contradict these either.
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
          // As text: cdk8s drops nulls from objects, and to a chart null means "remove the default".
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

/** The parts of a chart that code without types may leave out. */
const EMPTY = {
  name: '',
  version: '',
  repository: '',
  kinds: [],
  foreignNamespaces: [],
} as const satisfies PinnedChart;

/** The chart, complete where something is missing, which is reported. */
function wellFormed(chart: PinnedChart): PinnedChart {
  return missingIn(chart).length === 0 ? chart : { ...EMPTY, ...chart };
}

/** The chart in the repository of a cluster's mirror. */
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
