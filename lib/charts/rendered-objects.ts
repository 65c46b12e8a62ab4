import { isDeepStrictEqual } from 'node:util';
import { App, Chart } from 'cdk8s';
import type { Construct, IConstruct } from 'constructs';
import type { KubernetesObject } from '../kubernetes/kubernetes-object';
import { apiGroup } from '../kubernetes/scope';
import { KnownObject } from '../tree/known-object';

/**
 * The objects of a chart as children of its construct. Who finds one before all is known that decides the chart's values
 * keeps it: later values change what is rendered of it, and nothing of what was done to it.
 */
export class RenderedObjects {
  private readonly placed = new Map<string, KnownObject>();
  private readonly constructs = new Set<IConstruct>();
  private current: ReadonlySet<IConstruct> = new Set();
  private shown: readonly KubernetesObject[] | undefined;

  /** @param prepare - called with each construct when it is made */
  constructor(
    private readonly scope: Construct,
    private readonly prepare: (object: KnownObject) => void,
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
  get all(): readonly KnownObject[] {
    return [...this.placed.values()];
  }

  /** Objects that the latest render has not, though somebody did something to them. */
  get lost(): readonly KnownObject[] {
    return this.all.filter((object) => !this.current.has(object) && isChanged(object, this.prepare));
  }

  private place(id: string, rendered: KubernetesObject): KnownObject {
    const object = new KnownObject(this.scope, id, rendered);
    this.placed.set(id, object);
    this.constructs.add(object);
    this.prepare(object);
    return object;
  }
}

function idOf({ apiVersion, kind, metadata: { namespace = '', name } }: KubernetesObject): string {
  return [apiGroup(apiVersion), kind, namespace, name].join(':').toLowerCase();
}

/** Tells whether an object is other than the chart has it. */
function isChanged(object: KnownObject, prepare: (object: KnownObject) => void): boolean {
  const { dependencies, children, metadata } = object.node;
  if (dependencies.length > 0 || children.length > 0 || metadata.length > 0) return true;
  const { namespace, labels } = Chart.of(object);
  const chart = new Chart(new App({ outdir: '', recordConstructMetadata: false }), 'chart', { namespace, labels });
  const unchanged = new KnownObject(chart, 'object', object.data);
  prepare(unchanged);
  try {
    return !isDeepStrictEqual(object.toJson(), unchanged.toJson());
  } catch {
    return true;
  }
}
