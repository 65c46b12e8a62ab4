import { isObject } from '#base/is-object';
import { type FieldPath, fieldPath, selectFields, textIn } from '#base/select-fields';
import type { Reference, ReferencedKind } from '#kubernetes/objects/references';

/** A reference in an object. */
export interface FoundReference {
  /** The path of the field: `spec.issuerRef`. */
  readonly field: string;
  /**
   * The objects that would satisfy it: one, or several if its text is ambiguous. Without a namespace, a namespaced kind
   * is accepted in any namespace.
   */
  readonly accepts: readonly Reference[];
  /** The object may be created later: it is only described, and not required. */
  readonly anyStage?: boolean;
}

/** A field of references to one kind. */
export interface ReferenceRule {
  /** Path of the objects with the name (see `selectFields`). */
  readonly at: string;
  readonly kind: ReferencedKind;
  /**
   * Field of the name.
   *
   * @default 'name'
   */
  readonly name?: string;
  /**
   * Whether an object at the path refers to this kind.
   *
   * @default - always
   */
  readonly where?: (holder: unknown) => boolean;
  /**
   * The object may be created later.
   *
   * @default false
   */
  readonly anyStage?: boolean;
}

/** Rules with parsed paths. */
export type CompiledRules = readonly (Omit<ReferenceRule, 'at'> & { readonly path: FieldPath })[];

/** Parses the paths of rules, which apply to many objects. */
export function compileRules(rules: readonly ReferenceRule[]): CompiledRules {
  return rules.map(({ at, ...rule }) => ({ ...rule, path: fieldPath(at) }));
}

/**
 * Returns the references of rules in an object. Those marked `optional` are left out: Kubernetes does not require them.
 *
 * @param own namespace for references without one; undefined if unknown
 */
export function applyRules(object: unknown, rules: CompiledRules, own: string | undefined): readonly FoundReference[] {
  return rules.flatMap(({ path, kind, name: nameField = 'name', where = () => true, anyStage }) =>
    selectFields(object, path).flatMap(({ field, value }) => {
      const name = textIn(value, nameField);
      if (name === undefined || isOptional(value) || !where(value) || !isWithText(value)) return [];
      const reference = referenceTo(kind, textIn(value, 'namespace') ?? own, name);
      return [
        {
          field: nameField === 'name' ? field : `${field}.${nameField}`,
          accepts: [reference],
          ...(anyStage && { anyStage }),
        },
      ];
    }),
  );
}

/** Returns a reference to an object of a kind, without a namespace for cluster-scoped kinds. */
export function referenceTo(kind: ReferencedKind, namespace: string | undefined, name: string): Reference {
  return namespace === undefined || kind === 'Namespace' || kind === 'ClusterIssuer'
    ? { kind, name }
    : { kind, namespace, name };
}

/** Whether a holder's `kind` is this one, or absent if this one is the default. */
export function isOfKind(kind: string, isDefault = false): (holder: unknown) => boolean {
  return (holder) => (textIn(holder, 'kind') ?? (isDefault ? kind : undefined)) === kind;
}

/** Whether the namespace of a holder is absent or a string; any other type is reported at the object. */
function isWithText(holder: unknown): boolean {
  return !isObject(holder) || holder.namespace === undefined || typeof holder.namespace === 'string';
}

function isOptional(holder: unknown): boolean {
  return isObject(holder) && holder.optional === true;
}
