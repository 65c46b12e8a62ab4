import type { Budget } from '../go/values';
import { documentOf, splitManifests } from './manifests';
import { type JsonObject, type JsonValue, objectsIn } from './objects';

/** A file in `crds/` of a chart. Its content is no template: it is read once, and renders share its objects. */
export class CrdFile {
  readonly text: string;
  private objects: readonly JsonObject[] | undefined;

  constructor(
    /** Path in the chart: `crds/crd.yaml`. */
    readonly name: string,
    data: Uint8Array,
    private readonly budget: Budget,
  ) {
    this.text = new TextDecoder().decode(data);
  }

  /** Whether Helm takes a file of a chart for one of CRDs. */
  static is(name: string): boolean {
    return name.startsWith('crds/') && /\.(?:ya?ml|json)$/i.test(name);
  }

  /**
   * Returns the objects in the file, frozen.
   *
   * @param source path of the file for errors: `chart/crds/crd.yaml`
   * @throws ManifestError if it contains something else
   */
  objectsAs(source: string): readonly JsonObject[] {
    this.objects ??= splitManifests(this.text).flatMap((document) => {
      const value = documentOf({ source, ...document }, this.budget);
      return objectsIn({ source, kind: 'CustomResourceDefinition', value, ...document }).map(frozen);
    });
    return this.objects;
  }
}

function frozen<T extends JsonValue>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}
