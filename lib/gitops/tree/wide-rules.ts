import type { IConstruct } from 'constructs';
import type { PlacedObject } from '../../kubernetes/checks/object-rule';
import type { Warning } from '../../linkerd/warnings';
import type { Declarations } from './references';

const WIDE_RULE = 'cdk8s-linkerd:wide-rule';

/** All objects and declarations of a cluster, or of a plain App. */
export interface Surroundings {
  readonly objects: readonly Pick<PlacedObject, 'object'>[];
  readonly declarations: readonly { readonly declarations: Declarations }[];
}

/** A rule of one construct that looks at its surroundings. It reports all that it finds, and never throws. */
export type WideRule = (around: Surroundings) => readonly Warning[];

/** Adds a rule to a construct that runs when all objects are known. */
export function keepWideRule(construct: IConstruct, rule: WideRule): void {
  construct.node.addMetadata(WIDE_RULE, rule);
}

/** Returns the rules of one construct that look at its surroundings. */
export function wideRulesOf(construct: IConstruct): readonly WideRule[] {
  return construct.node.metadata.filter(({ type }) => type === WIDE_RULE).map(({ data }) => data as WideRule);
}
