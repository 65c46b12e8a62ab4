import type { IConstruct } from 'constructs';

/** An operator that can rotate the anchor of a PKI. */
export interface AnchorOperator {
  /** Tells whether it looks at all namespaces: who does not cannot tell whether a pod still needs the old anchor. */
  readonly seesAllPods: boolean;
  /** The objects that have it make and rotate the anchor, where it does: all that the anchor signs waits for them. */
  readonly anchor?: IConstruct;
}
