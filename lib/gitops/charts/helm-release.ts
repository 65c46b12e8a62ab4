import { type ApiObject, type JsonPatch, Lazy } from 'cdk8s';
import { Construct, type IConstruct } from 'constructs';
import type { Problem } from '#base/findings/problem';
import type { GivenValues, Values } from '#base/values';
import { stringifyYaml } from '#base/yaml-writer';
import { ChartError } from '#helm/chart/chart-error';
import type { OpenedChart } from '#helm/chart/open-chart';
import { DEFAULT_KUBE_VERSION } from '#helm/kube-version';
import { REFERENCES } from '#kubernetes/objects/references';
import { FREE, keysOf, list } from '#kubernetes/options/known-keys';
import { checkValues } from '#kubernetes/schemas/schema';
import type { RenderedChart } from '#linkerd/charts/chart';
import { CHARTS, type ChartFolder } from '#linkerd/charts/chart-folder';
import { alsoWritingTo, checkChart, type PinnedChart } from '#linkerd/charts/pinned-chart';
import { chartProblem } from '#linkerd/renderers/findings';
import { checkSecretsInValues } from '#linkerd/renderers/private-keys';
import type { Declarations } from '../../checks/cluster/checked-cluster';
import { addRule } from '../tree/add-rule';
import { Cluster } from '../tree/cluster';
import { setHomeNamespace } from '../tree/home-namespace';
import { manifest } from '../tree/manifest';
import type { Mirror } from '../tree/mirror';
import { propsOf } from '../tree/prop-of-shape';
import { declareReferences } from '../tree/references';
import { declareRelease } from '../tree/releases';
import { checkClaims, steeringWarnings } from './chart-bounds';
import { CHART_FINDINGS } from './findings';
import { type AddedValues, LayeredValues, type ValueLayers } from './layered-values';
import { ManifestRelease } from './manifest-release';
import { ObjectPatches, type Patchable } from './object-patches';

/**
 * How a chart's objects are delivered to the cluster: as manifests that are rendered at synth, without Helm, or as a
 * chart that Argo CD inflates.
 */
export type Delivery = 'manifests' | 'helm';

/** A chart and its values. */
export interface HelmReleaseProps extends Declarations {
  readonly chart: PinnedChart;

  /** Namespace of the release. */
  readonly namespace: string;

  /**
   * Values of the chart.
   *
   * @default - the chart's defaults
   */
  readonly values?: GivenValues;

  /**
   * Folder of chart archives. If it contains the chart, the chart is rendered at synth.
   *
   * @default - the `charts` of the cluster; none in a plain cdk8s chart
   */
  readonly charts?: ChartFolder;

  /**
   * How the objects of the chart are delivered: as manifests, rendered at synth from the archive in the folder of
   * charts, or as a chart that Argo CD inflates.
   *
   * @default 'manifests' - if the folder of charts has the archive, else 'helm'
   */
  readonly delivery?: Delivery | undefined;

  /**
   * Version of Kubernetes for the templates (`.Capabilities.KubeVersion`): `v1.34.0`. A chart that Argo CD inflates
   * gets the version of the cluster.
   *
   * @default 'v1.34.0'
   */
  readonly kubeVersion?: string;

  /**
   * API versions for the templates (`.Capabilities.APIVersions`), in addition to those of Kubernetes:
   * `monitoring.coreos.com/v1`. Some charts render a ServiceMonitor, for example, only if its CRD is installed.
   *
   * @default - none
   */
  readonly apiVersions?: readonly string[];

  /**
   * Values that `values` overrides.
   *
   * @internal
   */
  readonly defaults?: GivenValues;

  /**
   * Values that the props of the surrounding construct set. `values` must not contradict them.
   *
   * @internal
   */
  readonly fromProps?: GivenValues;

  /**
   * Checks the values of the chart.
   *
   * @default - by the schema in `imports/`, if there is one
   *
   * @internal
   */
  readonly checkGiven?: ((values: Values) => readonly Problem[]) | undefined;

  /**
   * Returns the namespaces that the chart writes to because of its values, in addition to those that it declares.
   *
   * @internal
   */
  readonly writesTo?: (values: Values) => readonly string[];

  /**
   * Returns what the chart provides and requires with its values.
   *
   * @internal
   */
  readonly declare?: (values: Values) => Declarations;
}

const PROPS = keysOf<HelmReleaseProps>({
  chart: FREE,
  namespace: true,
  values: FREE,
  charts: CHARTS,
  delivery: true,
  kubeVersion: true,
  apiVersions: list('a list of API versions'),
  defaults: FREE,
  fromProps: FREE,
  checkGiven: { is: 'a function of the values', fits: (value) => typeof value === 'function', isRequired: false },
  writesTo: { is: 'a function of the values', fits: (value) => typeof value === 'function', isRequired: false },
  declare: { is: 'a function of the values', fits: (value) => typeof value === 'function', isRequired: false },
  provides: REFERENCES,
  requires: REFERENCES,
  external: REFERENCES,
});

/**
 * One Helm chart at an exact version. If the cluster's folder of charts contains it, its objects are rendered at synth.
 * Otherwise Argo CD inflates it. In a Cluster it then becomes a dependency of the namespace folder's umbrella chart. In
 * a plain cdk8s chart, whose folders the library does not write, it becomes an Argo CD Application.
 *
 * @example
 * new HelmRelease(home, 'podinfo', {
 *   chart: {
 *     name: 'podinfo',
 *     version: '6.9.2',
 *     repository: 'https://stefanprodan.github.io/podinfo',
 *     kinds: ['apps/Deployment', '/Service'],
 *     foreignNamespaces: [],
 *   },
 *   namespace: 'shop',
 *   values: { replicaCount: 2 },
 * });
 */
export class HelmRelease extends Construct implements Patchable {
  readonly namespace: string;
  private readonly pinned: PinnedChart;
  private readonly writesTo: HelmReleaseProps['writesTo'];
  private readonly layers: LayeredValues | ManifestRelease;
  private readonly patches = new ObjectPatches();
  /** The rendered chart; absent if Argo CD inflates it. */
  private readonly manifests?: ManifestRelease;

  constructor(scope: Construct, id: string, props: HelmReleaseProps) {
    super(scope, id);
    const given = propsOf<HelmReleaseProps>(this, PROPS, props);
    setHomeNamespace(this, given.namespace);
    this.writesTo = given.writesTo;
    this.pinned = fromMirror(wellFormed(given.chart), Cluster.find(this)?.mirror);
    this.namespace = given.namespace;
    addRule(this, () => (missingIn(given.chart).length > 0 ? checkChartShape(given.chart) : checkChart(this.pinned)));
    this.manifests = this.render(given, scope);
    if (this.manifests !== undefined) {
      this.layers = this.manifests;
      return;
    }
    const layers = new LayeredValues(given, scope);
    this.layers = layers;
    declareReferences(this, () => this.declarations(given));
    declareRelease(this, this);
    addRule(this, () => [
      ...layers.checkConflicts(),
      ...layers.checkReleases(this.pinned),
      ...(given.checkGiven?.(this.values) ?? checkValues(this.pinned, this.values)),
      ...checkSecretsInValues(this.values),
      ...this.patches.checkUnrendered(),
    ]);
    if (Cluster.find(this) === undefined) this.addApplication();
  }

  /** The chart, with all namespaces that it writes to. */
  get chart(): PinnedChart {
    const { pinned, writesTo } = this;
    return writesTo === undefined ? pinned : alsoWritingTo(pinned, writesTo(this.values));
  }

  /** The values of the chart. Complete at synth: until then, constructs may add to them. */
  get values(): Values {
    return this.layers.values;
  }

  /**
   * Adds values that the props of another construct set. Values of the user must not contradict them.
   *
   * @internal
   */
  addValues(values: AddedValues, from: IConstruct): void {
    this.layers.addValues(values, from);
  }

  patch(kind: string, name: string, ...operations: readonly JsonPatch[]): void {
    if (this.manifests === undefined) this.patches.add(kind, name, operations);
    else this.manifests.patch(kind, name, ...operations);
  }

  /** Returns the objects of a chart that is rendered at synth; nothing for one that Argo CD inflates. */
  objects(): readonly ApiObject[] {
    return this.manifests?.objects() ?? [];
  }

  private render(given: HelmReleaseProps, from: Construct): ManifestRelease | undefined {
    // Argo CD inflates the folder of a namespace as a release with the name of the folder.
    const releaseName = Cluster.find(this) === undefined ? this.pinned.name : given.namespace;
    const { delivery, namespace, kubeVersion = DEFAULT_KUBE_VERSION, apiVersions = [], declare } = given;
    if (delivery === 'helm') return undefined;
    const opened = this.openChart(given);
    if (opened === undefined) return undefined;
    const images = Cluster.find(this)?.mirror?.images;
    // Loaded only to render a chart: it takes longer to load than the rest of the library.
    const { chartRenderer } =
      require('#linkerd/renderers/chart-renderer') as typeof import('#linkerd/renderers/chart-renderer');
    const native = chartRenderer(opened, { name: releaseName, namespace, kubeVersion, apiVersions, images });
    const chart: RenderedChart = {
      pinned: this.pinned,
      namespace,
      // The engine merges values over the chart's defaults.
      defaults: {},
      provides: (values) => declare?.(values).provides ?? given.provides ?? [],
      requires: () => [],
      native,
    };
    // Also declares objects that the pods of the chart create.
    const { provides = [], requires = [], external } = given;
    declareReferences(this, { provides, requires, external });
    const layers = { ...valueLayersOf(given), chart, context: { namespace } };
    const release = new ManifestRelease(this, 'manifests', layers, from);
    addRule(this, () => [
      ...checkClaims(this.pinned, release.written),
      ...steeringWarnings(this.pinned, release.written),
    ]);
    return release;
  }

  /** Opens the chart in the folder of charts; reports a damaged chart, and does not render it. */
  private openChart({ charts = Cluster.find(this)?.charts, delivery }: HelmReleaseProps): OpenedChart | undefined {
    try {
      const opened = charts?.open(this.pinned);
      if (opened === undefined && delivery === 'manifests') {
        const { name, version } = this.pinned;
        addRule(this, () => [CHART_FINDINGS.chartDeliveryRefused({ chart: `${name} ${version}` })]);
      }
      return opened;
    } catch (error) {
      if (!(error instanceof ChartError)) throw error;
      addRule(this, () => [chartProblem(error)]);
      return undefined;
    }
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
      metadata: { name: this.pinned.name, namespace: 'argocd' },
      spec: {
        project: 'default',
        source: {
          chart: this.pinned.name,
          repoURL: this.pinned.repository,
          targetRevision: this.pinned.version,
          // As text: cdk8s drops nulls from objects, and for a chart null means "remove the default".
          helm: {
            releaseName: this.pinned.name,
            values: Lazy.any({ produce: () => stringifyYaml(this.values) }),
          },
        },
        destination: { server: 'https://kubernetes.default.svc', namespace: this.namespace },
        syncPolicy: { automated: { prune: true, selfHeal: true }, syncOptions: ['ServerSideApply=true'] },
      },
    });
  }
}

function valueLayersOf({ defaults, fromProps, values }: HelmReleaseProps): ValueLayers {
  return { defaults, fromProps, values };
}

/** The parts of a chart that untyped code may omit. */
const EMPTY = {
  name: '',
  version: '',
  repository: '',
  kinds: [],
  foreignNamespaces: [],
} as const satisfies PinnedChart;

function wellFormed(chart: PinnedChart): PinnedChart {
  return missingIn(chart).length === 0 ? chart : { ...EMPTY, ...chart };
}

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
