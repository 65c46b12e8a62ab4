import type { ApiObjectProps } from 'cdk8s';
import { Construct, type IConstruct } from 'constructs';
import { manifest, setHomeNamespace } from '../platform/manifest';
import { apiGroup } from '../platform/scope';
import type { KubernetesObject } from '../validation/kubernetes-object';
import { addRule, type Problem } from '../validation/problem';
import { checkValues } from '../validation/schema';
import { LayeredValues, type ValueLayers } from './layered-values';
import type { PinnedChart } from './pinned-chart';
import { type GivenValues, mergeValues, type Values } from './values';

/** Turns a chart's values into its objects, as Helm would. */
export interface ChartRenderer {
  /** All values of the chart that it has by itself. */
  readonly defaults: Values;
  /** What is wrong with values, all of the chart's included; nothing is rendered then. */
  readonly check: (values: Values) => readonly Problem[];
  /** The chart's objects for values, all of the chart's included. */
  readonly render: (values: Values) => readonly KubernetesObject[];
}

/** A chart, its values, and what renders it. */
export interface ManifestReleaseProps extends ValueLayers {
  readonly chart: PinnedChart;
  /** Namespace of the release. */
  readonly namespace: string;
  readonly renderer: ChartRenderer;
}

/** What is wrong with a chart's values, of themselves and to the renderer. */
interface Findings {
  readonly own: readonly Problem[];
  readonly refused: readonly Problem[];
}

/** One Helm chart at an exact version, rendered without Helm: its objects are in the tree like any other. */
export class ManifestRelease extends Construct {
  private readonly layers: LayeredValues;
  private readonly renderer: ChartRenderer;
  private readonly chart: PinnedChart;
  private findings: Findings = { own: [], refused: [] };

  constructor(scope: Construct, id: string, props: ManifestReleaseProps) {
    super(scope, id);
    setHomeNamespace(this, props.namespace);
    this.chart = props.chart;
    this.renderer = props.renderer;
    this.layers = new LayeredValues(props, scope);
    addRule(this, () => {
      const { own, refused } = this.findings;
      // Rules of the component around explain better what a renderer refuses, too.
      return own.length > 0 || (refused.length > 0 && scope.node.validate().length > 0) ? own : refused;
    });
    this.findings = this.render();
  }

  /** The values that the chart gets. */
  get values(): Values {
    return this.layers.values;
  }

  /** Adds values that follow from the props of another construct, and renders anew. */
  addValues(values: GivenValues, from: IConstruct): void {
    this.layers.add(values, from);
    this.findings = this.render();
  }

  private get effectiveValues(): Values {
    return mergeValues(this.renderer.defaults, this.values);
  }

  /** Makes the objects anew, if nothing is wrong with the values. */
  private render(): Findings {
    for (const child of this.node.children) this.node.tryRemoveChild(child.node.id);
    const own = [...this.layers.conflicts(), ...checkValues(this.chart, this.values)];
    // A renderer looks at values of the right type only.
    const refused = own.length > 0 ? [] : this.renderer.check(this.effectiveValues);
    if (own.length > 0 || refused.length > 0) return { own, refused };
    for (const object of this.renderer.render(this.effectiveValues)) {
      const { namespace = '', name } = object.metadata;
      const id = [apiGroup(object.apiVersion), object.kind, namespace, name].join(':').toLowerCase();
      manifest(this, id, object as ApiObjectProps);
    }
    return { own, refused };
  }
}
