import type { Decide, Scenario } from '../scenario';
import type { State } from '../state';

/**
 * Those who make a step. `mishap` and `natural` need never happen; the others do their part some time. The `person` does
 * what the status asks for.
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
  /** True for a step that was announced by the one before it. */
  readonly isExpected?: boolean;
}

/** A world, and the operator in it. */
export interface Rules {
  readonly scenario: Scenario;
  readonly decide: Decide;
}
