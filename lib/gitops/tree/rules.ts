import type { IConstruct } from 'constructs';
import type { Finding } from '../../kubernetes/findings/finding';
import type { Problem } from '../../kubernetes/findings/problem';
import type { Acknowledgement } from '../../linkerd/warnings';

const RULE = 'cdk8s-linkerd:rule';
const ACKNOWLEDGEMENT = 'cdk8s-linkerd:acknowledgement';

/** A rule of one construct. It reports all that it finds, and never throws. */
export interface Rule {
  readonly severity: Finding['severity'];
  readonly check: () => readonly Problem[];
}

/** Adds a rule to a construct. */
export function keepRule(construct: IConstruct, rule: Rule): void {
  construct.node.addMetadata(RULE, rule);
}

/** Returns the rules of one construct, without its children. */
export function rulesOf(construct: IConstruct): readonly Rule[] {
  return dataOf<Rule>(construct, RULE);
}

/** Adds an acknowledgement to a construct. */
export function keepAcknowledgement(construct: IConstruct, acknowledgement: Acknowledgement): void {
  construct.node.addMetadata(ACKNOWLEDGEMENT, acknowledgement);
}

/** Returns the acknowledgements at one construct, which apply to all below it. */
export function acknowledgementsOf(construct: IConstruct): readonly Acknowledgement[] {
  return dataOf<Acknowledgement>(construct, ACKNOWLEDGEMENT);
}

function dataOf<T>(construct: IConstruct, type: string): readonly T[] {
  return construct.node.metadata.filter((entry) => entry.type === type).map((entry) => entry.data as T);
}
