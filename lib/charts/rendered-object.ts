import { isDeepStrictEqual } from 'node:util';
import { ApiObject, type ApiObjectProps, App, Chart, type JsonPatch } from 'cdk8s';
import type { Construct } from 'constructs';
import type { KubernetesObject } from '../kubernetes/kubernetes-object';
import { isMap } from '../releases/values';

type Data = Readonly<Record<string, unknown>>;

/**
 * An object of a chart that may be rendered again, when later constructs decide further values of the chart. What was
 * done to it in the meantime stays: metadata, patches, dependencies, validations.
 */
export class RenderedObject extends ApiObject {
  private readonly patched: JsonPatch[] = [];
  private readonly first: Data;
  private latest: KubernetesObject;
  /** Number of the patches that are ours. */
  private ownPatches = 0;

  /** @param predecessor - the object of this name that an earlier render had, and one after it had not */
  constructor(
    scope: Construct,
    id: string,
    private readonly original: KubernetesObject,
    private readonly predecessor?: RenderedObject,
  ) {
    super(scope, id, original as ApiObjectProps);
    this.latest = original;
    this.first = this.rendered();
  }

  /** Takes what another render has of it. */
  renderAgain(object: KubernetesObject): void {
    this.latest = object;
  }

  /** Says that what was done to it so far is part of the render. */
  settle(): void {
    this.ownPatches = this.patched.length;
  }

  /** Tells whether somebody has done anything to it since. */
  get isChanged(): boolean {
    return (
      this.patched.length > this.ownPatches ||
      this.node.dependencies.length > 0 ||
      this.node.children.length > 0 ||
      this.node.metadata.length > 0 ||
      !isDeepStrictEqual(this.withChanges(this.first), this.first) ||
      this.predecessor?.isChanged === true
    );
  }

  override addJsonPatch(...operations: JsonPatch[]): void {
    this.patched.push(...operations);
    super.addJsonPatch(...operations);
  }

  override toJson(): KubernetesObject {
    if (this.latest === this.original && this.predecessor === undefined) return super.toJson();
    const metadata = this.withChanges(this.rendered());
    // Made anew, as an ApiObject cannot change what it was made of.
    const chart = new Chart(new App({ outdir: '', recordConstructMetadata: false }), 'chart');
    const object = new ApiObject(chart, 'object', { ...this.latest, metadata } as ApiObjectProps);
    object.addJsonPatch(...this.inheritedPatches(), ...this.patched);
    try {
      return object.toJson();
    } catch (error) {
      const { message } = error instanceof Error ? error : { message: String(error) };
      throw new Error(message.replace(`'${object.node.path}'`, `'${this.node.path}'`));
    }
  }

  /** The metadata of the latest render, as an ApiObject completes it. */
  private rendered(): Data {
    const { metadata } = this.latest;
    return {
      ...metadata,
      namespace: metadata.namespace ?? this.chart.namespace,
      labels: { ...this.chart.labels, ...metadata.labels },
    };
  }

  private withChanges(metadata: Data): Data {
    const inherited = this.predecessor?.withChanges(metadata) ?? metadata;
    return merged(inherited, this.first, this.metadata.toJson() as Data);
  }

  private inheritedPatches(): readonly JsonPatch[] {
    const { predecessor } = this;
    if (predecessor === undefined) return [];
    return [...predecessor.inheritedPatches(), ...predecessor.patched.slice(predecessor.ownPatches)];
  }
}

/** Data with what has become of other data since `before`. */
function merged(data: Data, before: Data, now: Data): Data {
  const result: Record<string, unknown> = { ...data };
  for (const key of new Set([...Object.keys(before), ...Object.keys(now)])) {
    const [was, is, to] = [before[key], now[key], data[key]];
    if (isDeepStrictEqual(was, is)) continue;
    // cdk8s leaves out maps without anything in them.
    if (isMap(was ?? {}) && isMap(is ?? {})) result[key] = merged(map(to), map(was), map(is));
    else if (is === undefined) delete result[key];
    else result[key] = is;
  }
  return result;
}

function map(data: unknown): Data {
  return isMap(data) ? data : {};
}
