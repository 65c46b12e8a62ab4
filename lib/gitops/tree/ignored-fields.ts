import type { IConstruct } from 'constructs';
import type { IgnoreDifference } from '../../kubernetes/ignore-difference';

const IGNORED_FIELDS = 'cdk8s-linkerd:ignored-fields';

/** Declares fields of emitted objects that a controller changes in the cluster, and that Argo CD is to leave to it. */
export function ignoreFields(scope: IConstruct, fields: readonly IgnoreDifference[]): void {
  scope.node.addMetadata(IGNORED_FIELDS, fields);
}

/** Returns the fields that were declared at one construct, children not included. */
export function ignoredFieldsAt(construct: IConstruct): readonly IgnoreDifference[] {
  return construct.node.metadata
    .filter(({ type }) => type === IGNORED_FIELDS)
    .flatMap(({ data }) => data as readonly IgnoreDifference[]);
}
