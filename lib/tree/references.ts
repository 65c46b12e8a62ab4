import type { IConstruct } from 'constructs';

/** Kinds that emitted objects refer to by name. */
export type ReferencedKind =
  | 'Namespace'
  | 'CustomResourceDefinition'
  | 'Secret'
  | 'ConfigMap'
  | 'ServiceAccount'
  | 'Service'
  | 'Issuer'
  | 'ClusterIssuer'
  | 'Certificate'
  | 'Middleware'
  | 'NetworkAttachmentDefinition';

/** An object named by another one. */
export interface Reference {
  readonly kind: ReferencedKind;
  /** Absent for cluster-scoped kinds. */
  readonly namespace?: string;
  readonly name: string;
}

/** The part of a construct in the reference check that its objects alone do not tell. */
export interface Declarations {
  /** Objects that come into being because of this construct, though no manifest shows them (a chart's, a controller's). */
  readonly provides?: readonly Reference[];
  /** Objects that this construct needs, though no manifest shows it (a chart's pods). */
  readonly requires?: readonly Reference[];
  /** Objects that exist outside of what is synthesized: the user says so. */
  readonly external?: readonly Reference[];
}

const DECLARATIONS = 'cdk8s-linkerd:references';

/** Declares at a construct what the reference check cannot read off its objects; by a function, what is known at synth. */
export function declareReferences(scope: IConstruct, declarations: Declarations | (() => Declarations)): void {
  scope.node.addMetadata(DECLARATIONS, typeof declarations === 'function' ? declarations : () => declarations);
}

/** Returns what was declared at one construct, children not included. */
export function declarationsOf(construct: IConstruct): readonly Declarations[] {
  return construct.node.metadata
    .filter((entry) => entry.type === DECLARATIONS)
    .map((entry) => (entry.data as () => Declarations)());
}

/** A stable text for a reference, for look-ups and messages: `Secret linkerd/linkerd-identity-issuer`. */
export function referenceKey({ kind, namespace, name }: Reference): string {
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}
