import type { MeshFacts } from '../model';
import { type Conditions, DAY, USUAL } from '../simulate/conditions';
import { type Routine, routine } from '../simulate/routine';
import { type Run, simulate } from '../simulate/run';
import { scenarioOf } from '../simulate/scenario';
import type { Calendar } from './time';

/** The part of time that the timeline shows. */
export type Range = 'life' | 'rotation' | 'signing' | 'fortnight';

/** All that somebody has chosen in the page. */
export interface ViewState {
  readonly conditions: Conditions;
  readonly range: Range;
  /** Shows the operator's rotation also where somebody else is to rotate. */
  readonly asOperator: boolean;
  /** The issuance of the anchor, in milliseconds since 1970; absent where nobody says. */
  readonly issued?: number;
  /** The present, in milliseconds since 1970. */
  readonly today?: number;
  /** Width of the timeline, in pixels. */
  readonly width: number;
}

/** The state with which a cluster is shown first. */
export function firstState({ pki }: MeshFacts): ViewState {
  return {
    conditions: { ...USUAL, laggards: pki.anchor?.policy.laggards ?? 'Report' },
    range: pki.anchor === undefined ? 'fortnight' : 'rotation',
    asOperator: pki.rotation === 'operator',
    width: 960,
  };
}

/** The future of a mesh, under the conditions that somebody chose. */
export interface Forecast {
  /** The rotation of the anchor by the operator; absent where somebody else is to rotate. */
  readonly run?: Run;
  /** Two weeks in which nothing is rotated. */
  readonly routine: Routine;
}

/** The length of an ordinary time. */
export const FORTNIGHT = 14 * DAY;

/** Computes what will happen to a mesh. */
export function forecastOf(report: MeshFacts, { conditions, asOperator }: ViewState): Forecast {
  const scenario = asOperator ? scenarioOf(report, conditions) : undefined;
  return {
    ...(scenario && { run: simulate(scenario) }),
    routine: routine(report, conditions, FORTNIGHT),
  };
}

/** The calendar of what is shown: relative times count from the issuance, or from the beginning of the rotation. */
export function calendarOf(state: ViewState, range: Range, due: number): Calendar {
  if (range === 'fortnight') return { ...(state.today !== undefined && { issued: state.today }), origin: 0 };
  return { ...(state.issued !== undefined && { issued: state.issued }), origin: range === 'life' ? 0 : due };
}

/** The age of the anchor. */
export function ageOf({ issued, today }: ViewState): number {
  return issued === undefined || today === undefined ? 0 : Math.max(0, today - issued);
}
