import type { Lateness } from '../observe';
import type { Decision, Scenario } from '../scenario';
import type { State, WorldAction } from '../state';

/**
 * The actors. `mishap`, `natural`, `crash` and `late operator` need never act; the others act eventually. The `person`
 * is a user who does what the status asks for.
 */
export type Actor =
  | 'time'
  | 'operator'
  | 'late operator'
  | 'crash'
  | 'cert-manager'
  | 'trust-manager'
  | 'identity'
  | 'natural'
  | 'copy'
  | 'person'
  | 'mishap';

/** A step of the world. */
export interface Step<S = State> {
  readonly actor: Actor;
  readonly label: () => string;
  readonly state: S;
  /** True for a step that the step before it announced. */
  readonly isExpected?: boolean;
}

/** The outcome of one reconciliation, and its effect in this world. */
export interface Decided extends Omit<Decision, 'actions'> {
  readonly actions: readonly WorldAction[];
}

/** A world, and the operator in it. */
export interface Rules {
  readonly scenario: Scenario;
  /** Returns the operator's decision on what it sees, with a clock that is `ahead`. */
  readonly decide: (state: State, late: Lateness, ahead: number) => Decided;
}
