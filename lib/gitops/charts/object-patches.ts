import type { ApiObject, JsonPatch } from 'cdk8s';
import type { Problem } from '#base/findings/problem';
import { describeObject } from '#kubernetes/objects/kubernetes-object';
import { CHART_FINDINGS } from './findings';

interface ObjectPatch {
  readonly kind: string;
  readonly name: string;
  readonly operations: readonly JsonPatch[];
}

/** A construct with objects of a chart, which users may change. */
export interface Patchable {
  /**
   * Patches an object of the chart when it is rendered, at synth. An object that the chart does not have is reported.
   *
   * @param kind of the object, such as `Deployment`
   * @param name of the object, in any namespace
   * @param operations JSON Patch operations (RFC 6902)
   */
  patch(kind: string, name: string, ...operations: readonly JsonPatch[]): void;
  /**
   * Returns the rendered objects of the chart as constructs. A value that another construct sets afterwards is an
   * error.
   */
  objects(): readonly ApiObject[];
}

/** Patches of objects that are rendered later. */
export class ObjectPatches {
  private readonly patches: ObjectPatch[] = [];

  add(kind: string, name: string, operations: readonly JsonPatch[]): ObjectPatch {
    const patch = { kind, name, operations };
    this.patches.push(patch);
    return patch;
  }

  get isEmpty(): boolean {
    return this.patches.length === 0;
  }

  /** Applies all patches of an object. */
  apply(object: ApiObject): void {
    for (const patch of this.patches) applyPatch(patch, object);
  }

  /** Checks that there is an object for each patch. */
  checkMatches(objects: readonly NamedObject[]): readonly Problem[] {
    return this.patches
      .filter(({ kind, name }) => !objects.some((object) => object.kind === kind && object.metadata.name === name))
      .map((patch) => unmatched(patch, objects));
  }

  /** Reports patches of a chart whose objects are rendered only in the cluster. */
  checkUnrendered(): readonly Problem[] {
    return this.patches.map((patch) => CHART_FINDINGS.patchNotRendered({ object: nameOf(patch) }));
  }
}

interface NamedObject {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** Patches an object if it matches. */
export function applyPatch({ kind, name, operations }: ObjectPatch, object: ApiObject): void {
  if (object.kind === kind && object.name === name) object.addJsonPatch(...operations);
}

function unmatched({ kind, name }: ObjectPatch, objects: readonly NamedObject[]): Problem {
  const names = objects.filter((object) => object.kind === kind).map(({ metadata }) => metadata.name);
  return CHART_FINDINGS.patchUnmatched({
    object: nameOf({ kind, name }),
    known:
      names.length === 0
        ? `one of the kinds ${listOf(objects.map((object) => object.kind))}`
        : `${kind} ${listOf(names)}`,
  });
}

function nameOf({ kind, name }: Pick<ObjectPatch, 'kind' | 'name'>): string {
  return describeObject({ kind, metadata: { name } });
}

function listOf(names: readonly string[]): string {
  return [...new Set(names)].sort().join(', ');
}
