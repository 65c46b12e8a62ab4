import { isDeepStrictEqual } from 'node:util';
import { ApiObject, type ApiObjectProps, App, Chart } from 'cdk8s';
import type { Construct, IConstruct } from 'constructs';
import type { KubernetesObject } from '../kubernetes/kubernetes-object';
import { apiGroup } from '../kubernetes/scope';
import { asManifest } from '../tree/manifest';

/** An object of a chart in the tree. */
interface Placed {
  readonly construct: ApiObject;
  /** All of the object but its metadata, in the map that the construct reads. */
  readonly content: Record<string, unknown>;
  rendered: KubernetesObject;
}

/**
 * The objects of a chart as children of its construct. Who finds one before all is known that decides the chart's values
 * keeps it: later values change what is rendered of it, and nothing of what was done to it.
 */
export class RenderedObjects {
  private readonly placed = new Map<string, Placed>();
  private readonly constructs = new Set<IConstruct>();
  private current: ReadonlySet<IConstruct> = new Set();
  private shown: readonly KubernetesObject[] | undefined;

  /** @param prepare - called with each construct when it is made */
  constructor(
    private readonly scope: Construct,
    private readonly prepare: (object: ApiObject) => void,
  ) {}

  /** Makes the children those of a render. Two objects of one id are an error, as everywhere in a tree. */
  show(objects: readonly KubernetesObject[]): void {
    if (objects === this.shown) return;
    const before = new Map(this.placed);
    const shown = objects.map((object) => {
      const id = idOf(object);
      const placed = before.get(id);
      before.delete(id);
      return placed === undefined ? this.place(id, object) : renderAgain(placed, object);
    });
    this.current = new Set(shown);
    this.shown = objects;
  }

  /** Whether a child is one, now: an object of the latest render, or something else. */
  has(child: IConstruct): boolean {
    return this.current.has(child) || !this.constructs.has(child);
  }

  /** All objects that there have been. */
  get all(): readonly ApiObject[] {
    return [...this.placed.values()].map(({ construct }) => construct);
  }

  /** Objects that the latest render has not, though somebody did something to them. */
  get lost(): readonly ApiObject[] {
    return [...this.placed.values()]
      .filter((placed) => !this.current.has(placed.construct) && isChanged(placed, this.prepare))
      .map(({ construct }) => construct);
  }

  private place(id: string, rendered: KubernetesObject): ApiObject {
    const content: Record<string, unknown> = { ...rendered };
    const construct = asManifest(new ApiObject(this.scope, id, content as unknown as ApiObjectProps));
    this.placed.set(id, { construct, content, rendered });
    this.constructs.add(construct);
    this.prepare(construct);
    return construct;
  }
}

function idOf({ apiVersion, kind, metadata: { namespace = '', name } }: KubernetesObject): string {
  return [apiGroup(apiVersion), kind, namespace, name].join(':').toLowerCase();
}

/** Changes what another render has different. cdk8s reads the content at synth, and has copied the metadata. */
function renderAgain(placed: Placed, object: KubernetesObject): ApiObject {
  const { construct, content, rendered } = placed;
  if (object === rendered) return construct;
  for (const key of Object.keys(content)) if (key !== 'metadata') delete content[key];
  const { metadata, ...others } = object;
  Object.assign(content, others);
  const now = construct.metadata.toJson() as Partial<KubernetesObject['metadata']>;
  for (const [key, value] of changes(rendered.metadata.labels, metadata.labels, now.labels)) {
    construct.metadata.addLabel(key, value);
  }
  for (const [key, value] of changes(rendered.metadata.annotations, metadata.annotations, now.annotations)) {
    construct.metadata.addAnnotation(key, value);
  }
  placed.rendered = object;
  return construct;
}

type Texts = Readonly<Record<string, string>>;

/** The texts that another render has different, but for those that somebody changed; absent ones become undefined. */
function changes(before: Texts = {}, after: Texts = {}, now: Texts = {}): readonly [string, string][] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => before[key] !== after[key] && now[key] === before[key])
    .map((key) => [key, after[key] as string]);
}

/** Tells whether an object is other than the chart has it. */
function isChanged({ construct, rendered }: Placed, prepare: (object: ApiObject) => void): boolean {
  const { node } = construct;
  if (node.dependencies.length > 0 || node.children.length > 0 || node.metadata.length > 0) return true;
  const { namespace, labels } = Chart.of(construct);
  const chart = new Chart(new App({ outdir: '', recordConstructMetadata: false }), 'chart', { namespace, labels });
  const unchanged = asManifest(new ApiObject(chart, 'object', { ...rendered } as unknown as ApiObjectProps));
  prepare(unchanged);
  try {
    return !isDeepStrictEqual(construct.toJson(), unchanged.toJson());
  } catch {
    return true;
  }
}
