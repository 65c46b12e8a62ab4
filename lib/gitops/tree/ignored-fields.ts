import type { IConstruct } from 'constructs';
import type { IgnoreDifference } from './ignore-difference';

const IGNORED_FIELDS = 'cdk8s-linkerd:ignored-fields';

/** Declares fields of emitted objects that a controller changes in the cluster, and that Argo CD must ignore. */
export function ignoreFields(scope: IConstruct, fields: readonly IgnoreDifference[]): void {
  scope.node.addMetadata(IGNORED_FIELDS, fields);
}

/** Returns the fields that were declared at one construct, without its children. */
export function ignoredFieldsAt(construct: IConstruct): readonly IgnoreDifference[] {
  return construct.node.metadata
    .filter(({ type }) => type === IGNORED_FIELDS)
    .flatMap(({ data }) => data as readonly IgnoreDifference[]);
}
