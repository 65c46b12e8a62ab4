import { type JsonPatch, Lazy } from 'cdk8s';
import { Construct, type IConstruct } from 'constructs';
import { stringifyYaml } from '../kubernetes/yaml';
import { addRule, type Problem } from '../problems/problem';
import { checkChart, type PinnedChart } from '../releases/pinned-chart';
import type { Values } from '../releases/values';
import { checkValues } from '../schema/schema';
import { Cluster } from '../tree/cluster';
import { manifest, setHomeNamespace } from '../tree/manifest';
import { type Declarations, declareReferences } from '../tree/references';
import { type AddedValues, LayeredValues, type ValueLayers } from './layered-values';
import { ObjectPatches, type Patchable } from './object-patches';
import { secretsInValues } from './private-keys';

/** A chart and its values. */
export interface HelmReleaseProps extends Declarations, ValueLayers {
  readonly chart: PinnedChart;
  /** Namespace of the release. */
  readonly namespace: string;
}

/**
 * One Helm chart at an exact version. In a Cluster it becomes a dependency of the namespace folder's umbrella chart; in
 * a plain cdk8s chart, where no writer of ours makes folders, an Argo CD Application with the same source and values.
 */
export class HelmRelease extends Construct implements Patchable {
  /** Whether a construct is a Helm release. */
  static isHelmRelease(construct: unknown): construct is HelmRelease {
    return construct instanceof HelmRelease;
  }

  readonly chart: PinnedChart;
  readonly namespace: string;
  private readonly layers: LayeredValues;
  private readonly patches = new ObjectPatches();

  constructor(scope: Construct, id: string, props: HelmReleaseProps) {
    super(scope, id);
    setHomeNamespace(this, props.namespace);
    this.chart = props.chart;
    this.namespace = props.namespace;
    this.layers = new LayeredValues(props, scope);
    declareReferences(this, props);
    addRule(this, () => [
      ...checkChart(this.chart),
      ...this.layers.conflicts(),
      ...checkValues(this.chart, this.values),
      ...this.secrets(scope),
      ...this.patches.checkUnrendered(),
    ]);
    if (Cluster.find(this) === undefined) this.addApplication();
  }

  /** The values that the chart gets. Complete at synth: until then, constructs may add to them. */
  get values(): Values {
    return this.layers.values;
  }

  /** Adds values that follow from the props of another construct; the user's must not contradict these either. */
  addValues(values: AddedValues, from: IConstruct): void {
    this.layers.add(values, from);
  }

  patch(kind: string, name: string, ...operations: readonly JsonPatch[]): void {
    this.patches.add(kind, name, operations);
  }

  /** Rules of the component around explain better what is in its values. */
  private secrets(scope: Construct): readonly Problem[] {
    const secrets = secretsInValues(this.values);
    return secrets.length > 0 && scope.node.validate().length > 0 ? [] : secrets;
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
