import type { Reference, ReferencedKind } from '../../../kubernetes/references';
import { type FieldPath, fieldPath, isObject, selectFields, textIn } from '../../../kubernetes/select-fields';

/** A reference that stands in an object. */
export interface FoundReference {
  /** The path of the field: `spec.issuerRef`. */
  readonly field: string;
  /**
   * The objects that would satisfy it: one, or several where its text can be read in more than one way. Without a
   * namespace, for a kind that has one, any namespace will do.
   */
  readonly accepts: readonly Reference[];
  /** Tells whether what is named may come later: the object is only about it, and works without. */
  readonly anyStage?: boolean;
}

/** The place of references to one kind in objects of another. */
export interface ReferenceRule {
  /** Path of the objects that hold the name (see `selectFields`). */
  readonly at: string;
  readonly kind: ReferencedKind;
  /**
   * Field of the name.
   *
   * @default 'name'
   */
  readonly name?: string;
  /**
   * Tells whether an object at the path refers to this kind.
   *
   * @default - always
   */
  readonly where?: (holder: unknown) => boolean;
  /**
   * Tells whether what is named may come later.
   *
   * @default false
   */
  readonly anyStage?: boolean;
}

/** Rules with their paths read. */
export type CompiledRules = readonly (Omit<ReferenceRule, 'at'> & { readonly path: FieldPath })[];

/** Reads the paths of rules, which are then followed in many objects. */
export function compileRules(rules: readonly ReferenceRule[]): CompiledRules {
  return rules.map(({ at, ...rule }) => ({ ...rule, path: fieldPath(at) }));
}

/**
 * The references that rules find in an object. Those marked `optional` are left out: Kubernetes does without.
 *
 * @param own namespace of what a reference without a namespace names; undefined if that is not known
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

/** A reference to an object of a kind; kinds without namespaces get none. */
export function referenceTo(kind: ReferencedKind, namespace: string | undefined, name: string): Reference {
  return namespace === undefined || kind === 'Namespace' || kind === 'ClusterIssuer'
    ? { kind, name }
    : { kind, namespace, name };
}

/** Tells whether a holder's `kind` is this one, or absent where this one is the default. */
export function isOfKind(kind: string, isDefault = false): (holder: unknown) => boolean {
  return (holder) => (textIn(holder, 'kind') ?? (isDefault ? kind : undefined)) === kind;
}

/** Tells whether a holder says no namespace, or says it as text: anything else is a problem of the holder. */
function isWithText(holder: unknown): boolean {
  return !isObject(holder) || holder.namespace === undefined || typeof holder.namespace === 'string';
}

function isOptional(holder: unknown): boolean {
  return isObject(holder) && holder.optional === true;
}
