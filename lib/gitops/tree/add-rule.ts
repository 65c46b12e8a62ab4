import type { IConstruct } from 'constructs';
import { describeProblem, type Problem } from '../../kubernetes/findings/problem';
import { checkAcknowledgement, type Warning, type WarningCode } from '../../linkerd/warnings';
import { reviewAtSynth } from './app-review';
import { keepAcknowledgement, keepRule, type Rule } from './rules';
import { keepWideRule, type WideRule } from './wide-rules';

/**
 * Registers a rule that is checked at synth, both by Platform and by a plain cdk8s App. A rule reports all that it
 * finds; it never throws.
 */
export function addRule(scope: IConstruct, check: () => readonly Problem[]): void {
  add(scope, { severity: 'error', check });
}

/** Adds a warning to the synth report; a plain cdk8s App prints it. */
export function addWarning(scope: IConstruct, warning: Warning): void {
  addWarnings(scope, () => [warning]);
}

/** Adds warnings, like `addWarning`, that are found at synth. */
export function addWarnings(scope: IConstruct, find: () => readonly Warning[]): void {
  add(scope, { severity: 'warning', check: find });
}

/** Adds warnings, like `addWarnings`, that depend on other objects of the cluster or App. */
export function addWideWarnings(scope: IConstruct, find: WideRule): void {
  reviewAtSynth(scope);
  keepWideRule(scope, find);
}

function add(scope: IConstruct, rule: Rule): void {
  reviewAtSynth(scope);
  keepRule(scope, rule);
}

/** The warnings of a construct and of all constructs below it. */
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
   * @throws TypeError without a reason, or if there is no such code
   */
  acknowledge(code: WarningCode, reason: string): void {
    const [problem] = checkAcknowledgement({ code, reason });
    if (problem !== undefined) throw new TypeError(describeProblem(problem));
    keepAcknowledgement(this.scope, { code, reason });
  }
}
