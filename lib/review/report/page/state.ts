import { DAY, HOUR } from '#base/time-units';
import type { MeshFacts } from '../model';
import { boundedConditions, type Conditions, USUAL } from '../simulate/conditions';
import { periodOf, type Routine, refusedCertificates, routine } from '../simulate/routine';
import { type Run, simulate } from '../simulate/run';
import type { Scenario } from '../simulate/world';
import type { Calendar } from './time';

/** The range of the timeline. */
export type Range = (typeof RANGES)[number];

/** All choices in the page. */
export interface ViewState {
  readonly conditions: Conditions;
  readonly range: Range;
  /** Show the rotation by the operator even if the mesh rotates its trust anchor differently. */
  readonly asOperator: boolean;
  /** The issuance of the anchor, in milliseconds since 1970; absent if unknown. */
  readonly issued?: number;
  /** The present, in milliseconds since 1970. */
  readonly today?: number;
  /** Width of the timeline, in pixels. */
  readonly width: number;
}

/** The useful choices for a mesh. */
export interface Offer {
  readonly ranges: readonly Range[];
  /** Offer the choice of the rotation. */
  readonly who: boolean;
}

/** Returns the useful choices for a mesh. */
export function offerOf({ pki }: MeshFacts, asOperator: boolean): Offer {
  if (pki.anchor === undefined) return { ranges: ['fortnight'], who: false };
  const ranges: readonly Range[] = asOperator ? RANGES : ['life', 'rotation', 'fortnight'];
  return { ranges, who: pki.rotation !== 'operator' };
}

/** Ranges of the rotation, from long to short, and two weeks without a rotation. */
export const RANGES = ['life', 'rotation', 'signing', 'fortnight'] as const;

/** Returns the initial state for a cluster. */
export function firstState({ pki }: MeshFacts): ViewState {
  return {
    conditions: { ...USUAL, laggards: pki.anchor?.policy.laggards ?? 'Report' },
    range: pki.anchor === undefined ? 'fortnight' : 'rotation',
    asOperator: pki.rotation === 'operator',
    width: 960,
  };
}

/** The simulation of a mesh under the chosen conditions. */
export interface Forecast {
  /** The rotation of the anchor by the operator; absent for other rotations. */
  readonly run?: Run;
  /** Two weeks without a rotation. */
  readonly routine: Routine;
}

/** The simulated time without a rotation. */
export const FORTNIGHT = 14 * DAY;

/** Runs the simulation of a mesh. */
export function forecastOf(report: MeshFacts, { conditions, asOperator }: ViewState): Forecast {
  const isPossible = refusedCertificates(report.pki).length === 0;
  const scenario = asOperator && isPossible ? scenarioOf(report, conditions) : undefined;
  return {
    ...(scenario && { run: simulate(scenario) }),
    routine: routine(report, conditions, FORTNIGHT),
  };
}

/** Returns the calendar of a range: relative times count from the issuance, or from the start of the rotation. */
export function calendarOf(state: ViewState, range: Range, due: number): Calendar {
  if (range === 'fortnight') return { ...(state.today !== undefined && { issued: state.today }), origin: 0 };
  return { ...(state.issued !== undefined && { issued: state.issued }), origin: range === 'life' ? 0 : due };
}

/** Returns the age of the anchor. */
export function ageOf({ issued, today }: ViewState): number {
  return issued === undefined || today === undefined ? 0 : Math.max(0, today - issued);
}

/** Returns the stop of a slider that is nearest to a value. */
export function nearestStop(stops: readonly number[], value: number): number {
  const distances = stops.map((stop) => Math.abs(stop - value));
  return distances.indexOf(Math.min(...distances));
}

/** The values in Linkerd's documentation, for outputs without an identity issuer. */
const ISSUER = { id: '', duration: 48 * HOUR, renewBefore: 25 * HOUR };

/** Returns the mesh of a cluster under some conditions; undefined if it has no trust anchor to rotate. */
export function scenarioOf({ pki, schedules }: MeshFacts, conditions: Conditions): Scenario | undefined {
  if (pki.anchor === undefined) return undefined;
  const issuer = pki.certificates.find(({ role }) => role === 'identity-issuer') ?? ISSUER;
  return {
    policy: pki.anchor.policy,
    // A job that renews the issuer earlier has the effect of a longer renewBefore.
    issuer: { duration: issuer.duration, renewBefore: issuer.duration - periodOf(issuer, schedules) },
    identityReplicas: pki.identityReplicas,
    conditions: boundedConditions(conditions),
  };
}
