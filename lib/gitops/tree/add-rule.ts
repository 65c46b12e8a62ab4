import type { IConstruct } from 'constructs';
import { describeProblem } from '#base/findings/problem';
import { type Acknowledgement, checkAcknowledgement, type OwnCode, type WarningCode } from '../../checks/warnings';
import { reviewAtSynth } from './app-review';
import { ACKNOWLEDGEMENT, RULE, type Rule } from './read-tree';

/**
 * Registers a rule that is checked at synth, both by Platform and by a plain cdk8s App; it may depend on other objects
 * of the cluster or App. A rule reports all errors and warnings that it finds; it never throws.
 */
export function addRule(scope: IConstruct, rule: Rule): void {
  reviewAtSynth(scope);
  scope.node.addMetadata(RULE, rule);
}

/** How to acknowledge a warning. */
export interface AcknowledgeOptions {
  /**
   * Accept that there may be no such warning, for example in a construct that several programs share. Otherwise an
   * acknowledgement that matches nothing is a warning itself: `acknowledged-nothing`.
   *
   * @default false
   */
  readonly ifAny?: boolean;
}

/**
 * The warnings of a construct and of all constructs below it.
 *
 * @example
 * Warnings.of(home).acknowledge('webhook-ca-replaced', 'once in one and a half years');
 */
export class Warnings {
  /** Returns the warnings of a construct and of all constructs below it. */
  static of(scope: IConstruct): Warnings {
    return new Warnings(scope);
  }

  private constructor(private readonly scope: IConstruct) {}

  /**
   * Acknowledges a warning: reports count it and no longer print it. The prop `acknowledge` of `Platform` does so for
   * all clusters.
   *
   * @param reason why the risk is acceptable, for readers of the code
   * @param options `ifAny` for a construct that several programs share: synth does not warn if nothing matches
   * @throws TypeError without a reason, or if there is no such code
   */
  acknowledge(code: WarningCode | OwnCode, reason: string, { ifAny = false }: AcknowledgeOptions = {}): void {
    const [problem] = checkAcknowledgement({ code, reason });
    if (problem !== undefined) throw new TypeError(describeProblem(problem));
    const acknowledgement: Acknowledgement = { code, reason, ...(ifAny && { ifAny }) };
    this.scope.node.addMetadata(ACKNOWLEDGEMENT, acknowledgement);
  }
}
