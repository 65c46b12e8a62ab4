import { isDeepStrictEqual } from 'node:util';
import { App, Chart } from 'cdk8s';
import type { Construct, IConstruct } from 'constructs';
import type { KubernetesObject } from '../../kubernetes/kubernetes-object';
import { remembered, rememberedOfBoth } from '../../kubernetes/remembered';
import { apiGroup } from '../../kubernetes/scope';
import type { LateObject } from '../tree/late-children';
import { plainObject } from '../tree/plain-json';
import { RenderedObject } from './rendered-object';

/**
 * The objects of a chart as children of its construct. Who finds one before all is known that decides the chart's values
 * keeps it: later values change what is rendered of it, and nothing of what was done to it.
 */
export class RenderedObjects {
  private readonly placed = new Map<string, RenderedObject>();
  private readonly constructs = new Set<IConstruct>();
  private current: ReadonlySet<IConstruct> = new Set();
  private shown: readonly KubernetesObject[] | undefined;

  /** @param prepare - called with each construct when it is made */
  constructor(
    private readonly scope: Construct,
    private readonly prepare: (object: RenderedObject) => void,
  ) {}

  /** Makes the children those of a render. Two objects of one id are an error, as everywhere in a tree. */
  show(objects: readonly KubernetesObject[]): void {
    if (objects === this.shown) return;
    const before = new Map(this.placed);
    const current = objects.map((object) => {
      const id = idOf(object);
      const placed = before.get(id);
      before.delete(id);
      placed?.become(object);
      return placed ?? this.place(id, object);
    });
    this.current = new Set(current);
    this.shown = objects;
  }

  /** Tells whether a child is one now: an object of the latest render, or something else. */
  has(child: IConstruct): boolean {
    return this.current.has(child) || !this.constructs.has(child);
  }

  /** All objects that there have been. */
  get all(): readonly RenderedObject[] {
    return [...this.placed.values()];
  }

  /** Objects that the latest render has not, though somebody did something to them. */
  get lost(): readonly RenderedObject[] {
    return this.all.filter((object) => !this.current.has(object) && isChanged(object, this.prepare));
  }

  /**
   * The objects of a render as they would be read, where that is known without constructs: where nothing is said of all
   * that is in the chart around.
   *
   * @param checked - the objects that are checked in their places
   */
  unasked(objects: Render, checked: Render): readonly LateObject[] | undefined {
    const { namespace, labels } = Chart.of(this.scope);
    if (namespace !== undefined || Object.keys(labels).length > 0) return undefined;
    return objects === checked ? readRender(objects) : readAs(objects, checked);
  }

  private place(id: string, rendered: KubernetesObject): RenderedObject {
    const object = new RenderedObject(this.scope, id, rendered);
    this.placed.set(id, object);
    this.constructs.add(object);
    this.prepare(object);
    return object;
  }
}

type Render = readonly KubernetesObject[];

/** The objects of a render, each with that of another which is checked in its place. */
const readAs = rememberedOfBoth((objects: Render, checked: Render): readonly LateObject[] | undefined => {
  const known = new Map(readRender(checked)?.map(({ id, object }) => [id, object]));
  return readRender(objects)?.map(({ id, object }) => {
    const checkedAs = known.get(id);
    return checkedAs === object ? { id, object } : { id, object, checkedAs };
  });
});

/** The objects of a render by their ids, as they are read; undefined where one has to be read as a construct. */
const readRender = remembered((objects: Render): readonly LateObject[] | undefined => {
  const read = objects.map((rendered) => ({ id: idOf(rendered), object: readRendered(rendered) }));
  const ids = new Set(read.map(({ id }) => id));
  return ids.size === read.length && read.every(isRead) ? read : undefined;
});

/** Read once for all renders that have it in common. */
const readRendered = remembered(plainObject);

function isRead(read: { readonly id: string; readonly object: KubernetesObject | undefined }): read is LateObject {
  return read.object !== undefined;
}

function idOf({ apiVersion, kind, metadata: { namespace = '', name } }: KubernetesObject): string {
  return [apiGroup(apiVersion), kind, namespace, name].join(':').toLowerCase();
}

/** Tells whether an object is other than the chart has it. */
function isChanged(object: RenderedObject, prepare: (object: RenderedObject) => void): boolean {
  const { dependencies, children, metadata } = object.node;
  if (dependencies.length > 0 || children.length > 0 || metadata.length > 0) return true;
  const { namespace, labels } = Chart.of(object);
  const chart = new Chart(new App({ outdir: '', recordConstructMetadata: false }), 'chart', { namespace, labels });
  const unchanged = new RenderedObject(chart, 'object', object.data);
  prepare(unchanged);
  try {
    return !isDeepStrictEqual(object.toJson(), unchanged.toJson());
  } catch {
    return true;
  }
}
