import { Construct, type IConstruct } from 'constructs';
import { describeObject, type KubernetesObject } from '../kubernetes/kubernetes-object';
import { apiGroup } from '../kubernetes/scope';
import type { Problem } from '../problems/problem';
import type { PinnedChart } from '../releases/pinned-chart';
import { type GivenValues, mergeValues, type Values } from '../releases/values';
import { checkValues } from '../schema/schema';
import { addRule } from '../tree/add-rule';
import { setHomeNamespace } from '../tree/home-namespace';
import { asManifest } from '../tree/manifest';
import { declareRender } from '../tree/releases';
import { LayeredValues, type ValueLayers } from './layered-values';
import { RenderedObject } from './rendered-object';

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
  /** All objects of any render, by their ids. */
  private readonly objects = new Map<string, RenderedObject>();

  constructor(scope: Construct, id: string, props: ManifestReleaseProps) {
    super(scope, id);
    setHomeNamespace(this, props.namespace);
    declareRender(this);
    this.chart = props.chart;
    this.renderer = props.renderer;
    this.layers = new LayeredValues(props, scope);
    addRule(this, () => {
      const { own, refused } = this.findings;
      if (own.length > 0 || refused.length > 0) return [...own, ...refused];
      return this.lost.map(lostChange);
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

  /** Objects that the latest render has not, though somebody did something to them. */
  private get lost(): readonly RenderedObject[] {
    return [...this.objects].flatMap(([id, object]) =>
      object.isChanged && this.node.tryFindChild(id) === undefined ? [object] : [],
    );
  }

  /** Renders, if nothing is wrong with the values; objects that an earlier render had, too, keep what was done to them. */
  private render(): Findings {
    const own = [...this.layers.conflicts(), ...checkValues(this.chart, this.values)];
    // A renderer looks at values of the right type only.
    const refused = own.length > 0 ? [] : this.renderer.check(this.effectiveValues);
    const isRefused = own.length > 0 || refused.length > 0;
    const objects = isRefused ? [] : this.renderer.render(this.effectiveValues);
    const ids = new Set(objects.map(idOf));
    for (const { node } of this.node.children) if (!ids.has(node.id)) this.node.tryRemoveChild(node.id);
    // Two objects of one id are an error, as everywhere in a tree.
    for (const object of objects) this.place(idOf(object), { object, isFirst: ids.delete(idOf(object)) });
    return { own, refused };
  }

  private place(id: string, { object, isFirst }: { object: KubernetesObject; isFirst: boolean }): void {
    const earlier = this.objects.get(id);
    if (isFirst && earlier !== undefined && this.node.tryFindChild(id) === earlier) {
      earlier.renderAgain(object);
      return;
    }
    const made = asManifest(new RenderedObject(this, id, object, earlier));
    made.settle();
    this.objects.set(id, made);
  }
}

function idOf({ apiVersion, kind, metadata: { namespace = '', name } }: KubernetesObject): string {
  return [apiGroup(apiVersion), kind, namespace, name].join(':').toLowerCase();
}

function lostChange({ kind, name, metadata: { namespace } }: RenderedObject): Problem {
  const object = describeObject({ kind, metadata: { name, namespace } });
  return {
    code: 'change-lost',
    what: `${object} was changed by code, and is rendered no more since another construct decided further values`,
    why: 'What the change was to bring about, a label, a patch, an order, would silently be missing',
    fix: `remove the change, or the construct or value by which the chart has no ${object}`,
  };
}
