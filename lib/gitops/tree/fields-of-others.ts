import type { IConstruct } from 'constructs';
import type { IgnoreDifference } from '../../kubernetes/ignore-difference';

const FIELDS_OF_OTHERS = 'cdk8s-linkerd:fields-of-others';

/** Declares fields of emitted objects that a controller changes in the cluster, and that Argo CD is to leave to it. */
export function leaveFields(scope: IConstruct, fields: readonly IgnoreDifference[]): void {
  scope.node.addMetadata(FIELDS_OF_OTHERS, fields);
}

/** Returns the fields that were declared at one construct, children not included. */
export function fieldsLeftAt(construct: IConstruct): readonly IgnoreDifference[] {
  return construct.node.metadata
    .filter(({ type }) => type === FIELDS_OF_OTHERS)
    .flatMap(({ data }) => data as readonly IgnoreDifference[]);
}
