import { isDeepStrictEqual } from 'node:util';
import { type ApiObject, type ApiObjectProps, Chart, type JsonPatch } from 'cdk8s';
import { Construct, type IConstruct } from 'constructs';
import type { Problem } from '#base/findings/problem';
import { RecentMap, remembered, rememberedOfBoth } from '#base/remembered';
import { mergeValues, type Values } from '#base/values';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { deepFreeze } from '#kubernetes/objects/plain-data';
import type { Reference } from '#kubernetes/objects/references';
import { apiGroup } from '#kubernetes/objects/scope';
import { checkValues } from '#kubernetes/schemas/schema';
import type { NativeRenderer, RenderedChart } from '#linkerd/charts/chart';
import { overDefaults } from '#linkerd/charts/known-values';
import { alsoWritingTo, type PinnedChart } from '#linkerd/charts/pinned-chart';
import type { RenderContext } from '#linkerd/charts/render-context';
import { addRule } from '../tree/add-rule';
import { setHomeNamespace } from '../tree/home-namespace';
import { manifest } from '../tree/manifest';
import { dependsOn } from '../tree/order';
import { ownObject, plainObject } from '../tree/plain-json';
import { declarePlainObjects, type IPreparable, type PlainObject } from '../tree/prepare';
import { declareReferences } from '../tree/references';
import { declareRender } from '../tree/releases';
import { checkBounds } from './chart-bounds';
import { CHART_FINDINGS } from './findings';
import { type AddedValues, LayeredValues, type ValueLayers } from './layered-values';
import { applyPatch, ObjectPatches, type Patchable } from './object-patches';

interface ManifestReleaseProps extends ValueLayers {
  readonly chart: RenderedChart;
  readonly context: RenderContext;
  readonly clusterValues?: Values | undefined;
}

interface Rendered {
  readonly state: object;
  readonly objects: readonly KubernetesObject[];
  /** The objects without the values of this cluster, in the same order; undefined if no value differs. */
  readonly example?: readonly PlainObject[] | undefined;
  readonly own: readonly Problem[];
  readonly refused: readonly Problem[];
}

interface Shown {
  readonly values: Values;
  readonly adders: number;
  readonly objects: readonly ApiObject[];
}

/**
 * One Helm chart at an exact version, rendered without Helm. Its objects are added to the tree in the prepare phase,
 * from the values that all constructs have set by then, or when `objects()` is called before.
 */
export class ManifestRelease extends Construct implements IPreparable, Patchable {
  private readonly layers: LayeredValues;
  private readonly chart: RenderedChart;
  private readonly context: RenderContext;
  private readonly clusterValues: Values;
  private readonly patches = new ObjectPatches();
  private latest: Rendered | undefined;
  private shown: Shown | undefined;

  /** @param from - the construct whose props set `fromProps` */
  constructor(scope: Construct, id: string, props: ManifestReleaseProps, from: IConstruct = scope) {
    super(scope, id);
    setHomeNamespace(this, props.context.namespace);
    this.chart = props.chart;
    this.context = props.context;
    declareRender(this, () => ({
      chart: props.chart.pinned,
      namespace: props.context.namespace,
      values: this.layers.values,
    }));
    this.clusterValues = props.clusterValues ?? {};
    this.layers = new LayeredValues(props, from);
    addRule(this, () => {
      const { own, refused, objects } = this.rendered;
      if (own.length > 0 || refused.length > 0) return [...own, ...refused];
      return this.patches.checkMatches(objects);
    });
    addRule(this, () => {
      const { pinned, defaults, writesTo } = this.chart;
      const also = writesTo?.(overDefaults(defaults, this.layers.values)) ?? [];
      return checkBounds(alsoWritingTo(pinned, also), this.context.namespace, this.rendered.objects);
    });
    addRule(this, () => this.checkShown());
    addRule(this, () => this.layers.checkReleases(this.chart.pinned));
    declareReferences(this, () => ({ provides: this.withheld() }));
    declarePlainObjects(this, () => (this.isPlain ? this.plainObjects() : undefined));
  }

  /** The values of the chart. Complete at synth: until then, constructs may add to them. */
  get values(): Values {
    return this.layers.values;
  }

  /** Adds values that the props of another construct set. Values of the user must not contradict them. */
  addValues(values: AddedValues, from: IConstruct): void {
    this.layers.addValues(values, from);
  }

  patch(kind: string, name: string, ...operations: readonly JsonPatch[]): void {
    const patch = this.patches.add(kind, name, operations);
    for (const object of this.shown?.objects ?? []) applyPatch(patch, object);
  }

  prepare(): void {
    this.objects();
  }

  objects(): readonly ApiObject[] {
    this.shown ??= this.show();
    return this.shown.objects;
  }

  /** Returns the objects as they are written, with the patches. */
  get written(): readonly KubernetesObject[] {
    return this.isPlain ? this.rendered.objects : this.objects().map((object) => object.toJson() as KubernetesObject);
  }

  private show(): Shown {
    const { objects } = this.rendered;
    const { values, adders } = this.layers;
    const shown = objects.map((object) => manifest(this, idOf(object), object as unknown as ApiObjectProps));
    for (const object of shown) this.patches.apply(object);
    for (const object of shown) dependsOn(object, this.startedBefore(object, shown));
    return { values, adders: adders.length, objects: shown };
  }

  private get isPlain(): boolean {
    return this.shown === undefined && this.patches.isEmpty && this.node.children.length === 0;
  }

  private get rendered(): Rendered {
    if (this.latest?.state !== this.layers.state) this.latest = this.render();
    return this.latest;
  }

  private render(): Rendered {
    const { layers } = this;
    const { native, defaults } = this.chart;
    const { state, values } = layers;
    const own = [...layers.checkConflicts(), ...checkGiven(this.chart, values)];
    // Renderers expect values of the right types.
    if (own.length > 0) return { state, own, refused: [], objects: [] };
    const refused = checkBy(native, overDefaults(defaults, values));
    return { state, own, refused, ...(refused.length > 0 ? { objects: [] } : this.renderObjects()) };
  }

  private plainObjects(): readonly PlainObject[] | undefined {
    const { namespace, labels } = Chart.of(this);
    // Constructs add the namespace and the labels of the surrounding cdk8s Chart.
    if (namespace !== undefined || Object.keys(labels).length > 0) return undefined;
    const { objects, example } = this.rendered;
    const plain = example === undefined ? readRender(objects) : readAs(example, objects);
    if (plain === undefined || this.chart.startsAfter === undefined) return plain;
    return plain.map((one) => {
      const after = this.startedBefore(one.object, objects);
      return after === undefined ? one : { ...one, after: idOf(after) };
    });
  }

  private startedBefore<T extends { readonly kind: string; readonly metadata: { readonly name?: string } }>(
    { kind, metadata }: T,
    objects: readonly T[],
  ): T | undefined {
    const before = kind === 'Deployment' ? this.chart.startsAfter?.[metadata.name ?? ''] : undefined;
    if (before === undefined) return undefined;
    return objects.find((other) => other.kind === kind && other.metadata.name === before);
  }

  private renderObjects(): Pick<Rendered, 'objects' | 'example'> {
    const { chart, context, clusterValues, layers } = this;
    const { perCluster } = chart.native;
    const own = Object.entries(clusterValues).filter(([key]) => layers.values[key] === undefined);
    if (perCluster === undefined || own.length === 0) return { objects: this.renderOver({}) };
    const common = this.renderOver(perCluster.example);
    const example = readRender(common);
    const known = example?.map(({ object }) => object) ?? common;
    return { objects: perCluster.vary(known, Object.fromEntries(own), context), example };
  }

  /** Renders the values over `between`, and `between` over the chart's defaults. */
  private renderOver(between: Values): Render {
    const { chart, context, layers } = this;
    const { pinned, native, defaults } = chart;
    const { values } = layers;
    const source = JSON.stringify([pinned.name, pinned.version, native.fingerprint, context, between, values]);
    return knownRender(source, () => native.render(overDefaults(mergeValues(defaults, between), values), context));
  }

  /** Returns the references that a refused chart would provide, so that their users are not reported, too. */
  private withheld(): readonly Reference[] {
    const { own, refused } = this.rendered;
    const { chart, context } = this;
    return own.length + refused.length === 0 ? [] : chart.provides(chart.defaults, context.namespace);
  }

  private checkShown(): readonly Problem[] {
    if (this.shown === undefined || isDeepStrictEqual(this.shown.values, this.layers.values)) return [];
    return this.layers.adders.slice(this.shown.adders).map((adder) => decidedLate(adder, this));
  }
}

function checkGiven({ pinned, checkGiven: check }: RenderedChart, values: Values): readonly Problem[] {
  return check === undefined ? checkTypes(pinned, values) : checkWith(check, values);
}

const checkTypes = rememberedOfBoth((chart: PinnedChart, values: Values) => deepFreeze(checkValues(chart, values)));

const checkWith = rememberedOfBoth((check: NonNullable<RenderedChart['checkGiven']>, values: Values) =>
  deepFreeze(check(values)),
);

const checkBy = rememberedOfBoth((native: NativeRenderer, values: Values) => deepFreeze(native.check(values)));

function decidedLate(from: IConstruct, release: IConstruct): Problem {
  return CHART_FINDINGS.valuesSetLate({ from: from.node.path, release: release.node.path });
}

type Render = readonly KubernetesObject[];

const MAX_RENDERS = 16;

/** Cached renders, by the text of their inputs. A RecentMap has two halves, each with one entry more than its size. */
const KNOWN = new RecentMap<Render>(() => 1, MAX_RENDERS / 2 - 1);

/** Returns the objects of a render; for a cached one, the same frozen objects. */
export function knownRender(source: string, render: () => Render): Render {
  const known = KNOWN.get(source);
  // Most renders belong to one cluster only: the second request freezes them.
  if (known !== undefined) return Object.isFrozen(known) ? known : deepFreeze(known);
  const objects = render();
  KNOWN.set(source, objects);
  return objects;
}

function idOf({ apiVersion, kind, metadata: { namespace = '', name } }: KubernetesObject): string {
  return [apiGroup(apiVersion), kind, namespace, name].join(':').toLowerCase();
}

/** Returns each object with the one that rules check instead, which is equal for all clusters. */
const readAs = rememberedOfBoth((example: readonly PlainObject[], objects: Render): readonly PlainObject[] =>
  example.map((common, index) => {
    const object = objects[index];
    if (object === undefined || object === common.object) return common;
    return { id: common.id, object: ownObject(object), checkedAs: common.object };
  }),
);

/** Returns the objects of a render by id; undefined if one must be read as a construct. */
const readRender = remembered((objects: Render): readonly PlainObject[] | undefined => {
  const read = objects.map((rendered) => ({ id: idOf(rendered), object: readRendered(rendered) }));
  const ids = new Set(read.map(({ id }) => id));
  return ids.size === read.length && read.every(isRead) ? deepFreeze(read) : undefined;
});

const readRendered = remembered(plainObject);

function isRead(read: { readonly id: string; readonly object: KubernetesObject | undefined }): read is PlainObject {
  return read.object !== undefined;
}
