import type { ApiObject, JsonPatch } from 'cdk8s';
import type { Problem } from '../../kubernetes/findings/problem';
import { describeObject } from '../../kubernetes/kubernetes-object';
import { CHART_FINDINGS } from './findings';

/** Changes of the objects that a chart will have. */
interface ObjectPatch {
  readonly kind: string;
  readonly name: string;
  readonly operations: readonly JsonPatch[];
}

/** Something that has objects of a chart, which its users may change. */
export interface Patchable {
  /**
   * Changes an object that is rendered from the chart, whenever that will be: at synth, when all its values are known.
   * One that the chart turns out not to have is reported.
   *
   * @param kind of the object, such as `Deployment`
   * @param name of the object; those of that kind and name in all namespaces are meant
   * @param operations by RFC 6902
   */
  patch(kind: string, name: string, ...operations: readonly JsonPatch[]): void;
  /**
   * Returns the objects that are rendered from the chart, as constructs. A value that another construct decides
   * afterwards is an error.
   */
  objects(): readonly ApiObject[];
}

/** Changes of objects that are rendered later. */
export class ObjectPatches {
  private readonly patches: ObjectPatch[] = [];

  add(kind: string, name: string, operations: readonly JsonPatch[]): ObjectPatch {
    const patch = { kind, name, operations };
    this.patches.push(patch);
    return patch;
  }

  /** Tells whether nobody asked for a change. */
  get isEmpty(): boolean {
    return this.patches.length === 0;
  }

  /** Patches an object as all have asked so far. */
  apply(object: ApiObject): void {
    for (const patch of this.patches) applyPatch(patch, object);
  }

  /** Checks that there is an object for each patch. */
  checkMatches(objects: readonly NamedObject[]): readonly Problem[] {
    return this.patches
      .filter(({ kind, name }) => !objects.some((object) => object.kind === kind && object.metadata.name === name))
      .map((patch) => unmatched(patch, objects));
  }

  /** Checks the patches of a chart whose objects are rendered in the cluster only. */
  checkUnrendered(): readonly Problem[] {
    return this.patches.map((patch) => CHART_FINDINGS.patchNotRendered({ object: nameOf(patch) }));
  }
}

/** An object as far as patches tell it from others. */
interface NamedObject {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** Patches an object if the patch is for it. */
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
