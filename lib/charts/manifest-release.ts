import type { ApiObject, JsonPatch } from 'cdk8s';
import { Construct, type IConstruct } from 'constructs';
import { describeObject, type KubernetesObject } from '../kubernetes/kubernetes-object';
import type { Problem } from '../problems/problem';
import type { PinnedChart } from '../releases/pinned-chart';
import { mergeValues, type Values } from '../releases/values';
import { checkValues } from '../schema/schema';
import { addRule } from '../tree/add-rule';
import { setHomeNamespace } from '../tree/home-namespace';
import { setLateChildren } from '../tree/late-children';
import { declareReferences, type Reference } from '../tree/references';
import { declareRender } from '../tree/releases';
import { knownRender } from './known-renders';
import { type AddedValues, LayeredValues, type ValueLayers } from './layered-values';
import { applyPatch, ObjectPatches, type Patchable } from './object-patches';
import { RenderedObjects } from './rendered-objects';

/** Turns a chart's values into its objects, as Helm would. */
export interface ChartRenderer {
  /** All values of the chart that it has by itself. */
  readonly defaults: Values;
  /** What is wrong with values, all of the chart's included; nothing is rendered then. */
  readonly check: (values: Values) => readonly Problem[];
  /** The chart's objects for values, all of the chart's included. */
  readonly render: (values: Values) => readonly KubernetesObject[];
  /**
   * What the objects follow from besides the values. Equal renders of a chart are made once for all clusters.
   *
   * @default - not said: each is made
   */
  readonly context?: readonly unknown[];
}

/** A chart, its values, and what renders it. */
export interface ManifestReleaseProps extends ValueLayers {
  readonly chart: PinnedChart;
  /** Namespace of the release. */
  readonly namespace: string;
  readonly renderer: ChartRenderer;
}

/** A chart's objects; none where something is wrong with its values. */
interface Rendered {
  /** The values that it was rendered with. */
  readonly values: Values;
  readonly objects: readonly KubernetesObject[];
  /** What is wrong with the values of themselves. */
  readonly own: readonly Problem[];
  /** What the renderer refuses. */
  readonly refused: readonly Problem[];
}

/**
 * One Helm chart at an exact version, rendered without Helm: its objects are in the tree like any other. It is rendered
 * once, when somebody asks for them: at synth, when all constructs are there that decide its values. What somebody finds
 * before follows values that are decided later, and keeps what was done to it.
 */
export class ManifestRelease extends Construct implements Patchable {
  private readonly layers: LayeredValues;
  private readonly renderer: ChartRenderer;
  private readonly chart: PinnedChart;
  private readonly patches = new ObjectPatches();
  private readonly children: RenderedObjects;
  private latest: Rendered | undefined;

  constructor(scope: Construct, id: string, props: ManifestReleaseProps) {
    super(scope, id);
    setHomeNamespace(this, props.namespace);
    declareRender(this);
    this.chart = props.chart;
    this.renderer = props.renderer;
    this.layers = new LayeredValues(props, scope);
    addRule(this, () => {
      const { own, refused, objects } = this.rendered;
      if (own.length > 0 || refused.length > 0) return [...own, ...refused];
      return [...this.patches.checkMatches(objects), ...this.checkLost()];
    });
    declareReferences(this, () => ({ provides: this.withheld() }));
    this.children = new RenderedObjects(this, (object) => this.patches.apply(object));
    setLateChildren(this, {
      complete: () => this.children.show(this.rendered.objects),
      has: (child) => this.children.has(child),
    });
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
    const patch = this.patches.add(kind, name, operations);
    for (const object of this.children.all) applyPatch(patch, object);
  }

  /** The render of the values, made when somebody asks. */
  private get rendered(): Rendered {
    if (this.latest?.values !== this.layers.values) this.latest = this.render();
    return this.latest;
  }

  private render(): Rendered {
    const { renderer, chart, layers } = this;
    const own = [...layers.conflicts(), ...checkValues(chart, layers.values)];
    // A renderer looks at values of the right type only.
    const { values } = layers;
    if (own.length > 0) return { values, own, refused: [], objects: [] };
    const all = mergeValues(renderer.defaults, values);
    const refused = renderer.check(all);
    return { values, own, refused, objects: refused.length > 0 ? [] : this.objectsOf(all) };
  }

  private objectsOf(values: Values): readonly KubernetesObject[] {
    const { chart, renderer } = this;
    if (renderer.context === undefined) return renderer.render(values);
    const source = JSON.stringify([chart.name, chart.version, renderer.context, values]);
    return knownRender(source, () => renderer.render(values));
  }

  /**
   * What others may refer to if the chart is refused: what it has by its own values. That it is not rendered is one
   * problem, and not one more of each object that refers to it.
   */
  private withheld(): readonly Reference[] {
    const { own, refused } = this.rendered;
    return own.length + refused.length === 0 ? [] : referencesTo(this.objectsByDefault());
  }

  /** The objects by the chart's own values, which are written nowhere: some lack what only props give. */
  private objectsByDefault(): readonly KubernetesObject[] {
    try {
      return this.renderer.render(this.renderer.defaults);
    } catch {
      return [];
    }
  }

  /** Checks that what was done to objects that somebody found early is done to objects that there are. */
  private checkLost(): readonly Problem[] {
    return this.children.lost.filter((object) => !this.patches.concern(object)).map(lostChange);
  }
}

/** Kinds of the core group that objects of charts are referred to by. */
const REFERENCED = ['ConfigMap', 'Secret', 'Service', 'ServiceAccount'] as const;

function referencesTo(objects: readonly KubernetesObject[]): readonly Reference[] {
  return objects.flatMap(({ apiVersion, kind, metadata: { name, namespace } }) => {
    const referenced = REFERENCED.find((one) => one === kind);
    return apiVersion !== 'v1' || referenced === undefined ? [] : [{ kind: referenced, namespace, name } as Reference];
  });
}

function lostChange({ kind, name, metadata: { namespace } }: ApiObject): Problem {
  const object = describeObject({ kind, metadata: { name, namespace } });
  return {
    code: 'change-lost',
    what: `${object} was changed by code, and is rendered no more since another construct decided further values`,
    why: 'What the change was to bring about, a label, a patch, an order, would silently be missing',
    fix: `remove the change, or the construct or value by which the chart has no ${object}`,
  };
}
