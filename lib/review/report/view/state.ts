import { DAY } from '../../../../operator/api/time-units';
import type { MeshFacts } from '../model';
import { type Conditions, USUAL } from '../simulate/conditions';
import { type Routine, refusedCertificates, routine } from '../simulate/routine';
import { type Run, simulate } from '../simulate/run';
import { scenarioOf } from '../simulate/scenario';
import type { Calendar } from './time';

/** The part of time that the timeline shows. */
export type Range = (typeof RANGES)[number];

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

/** The choices that make sense for a mesh. */
export interface Offer {
  readonly ranges: readonly Range[];
  /** Tells whether there is a choice of who rotates the anchor. */
  readonly who: boolean;
}

/** Returns the choices that make sense for a mesh. */
export function offerOf({ pki }: MeshFacts, asOperator: boolean): Offer {
  if (pki.anchor === undefined) return { ranges: ['fortnight'], who: false };
  const ranges: readonly Range[] = asOperator ? RANGES : ['life', 'rotation', 'fortnight'];
  return { ranges, who: pki.rotation !== 'operator' };
}

/** The parts of time, the longest first but for the last. */
export const RANGES = ['life', 'rotation', 'signing', 'fortnight'] as const;

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
  const isPossible = refusedCertificates(report.pki).length === 0;
  const scenario = asOperator && isPossible ? scenarioOf(report, conditions) : undefined;
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

/** The stop of a slider that is nearest to a value. */
export function nearestStop(stops: readonly number[], value: number): number {
  const distances = stops.map((stop) => Math.abs(stop - value));
  return distances.indexOf(Math.min(...distances));
}
