import type { Duration } from 'cdk8s';
import { shownValue } from '../../../operator/api/kubernetes/shown-value';
import { MOST_UNAVAILABLE_WORKLOADS } from '../../../operator/api/linkerd-config';
import { DAY } from '../../../operator/api/time-units';
import {
  type LaggardPolicy,
  LONGEST_COMMON_NAME,
  MOST_MEMBERS,
  WEEKDAYS,
  type Weekday,
} from '../../../operator/api/trust-anchor';
import type { Problem } from '../../kubernetes/findings/problem';
import { checkGoDuration } from '../../kubernetes/go-duration';
import { each, FREE, keysOf } from '../../kubernetes/known-keys';
import { checkDnsLabel } from '../../kubernetes/names';
import { PKI_FINDINGS } from './findings';
import { milliseconds } from './validity';

/** A time of the week in which the operator may begin a rotation and restart laggards, in UTC. */
export interface AnchorWindow {
  /**
   * Days on which it begins.
   *
   * @default - each
   */
  readonly days?: readonly Weekday[];
  /** Hours and minutes of its beginning: `'02:00'`. */
  readonly start: string;
  /** Its length, a week at most. */
  readonly duration: Duration;
}

/** The fate of pods that know only the old anchor, which keep it from being retired. */
export interface AnchorLaggards {
  /**
   * - `Report`: they are listed, and restarted when the time that is left is what the worst plan takes.
   * - `Restart`: they are restarted as soon as new pods know the new anchor.
   * - `Never`: they are listed, and an alert tells of them.
   *
   * @default 'Report'
   */
  readonly policy?: LaggardPolicy;

  /**
   * Most workloads that restart at a time, up to 1,000.
   *
   * @default 1
   */
  readonly maxUnavailableWorkloads?: number;

  /**
   * The time after which a restart gives its place to the next; a day at most.
   *
   * @default Duration.minutes(10)
   */
  readonly progressDeadline?: Duration;
}

/** The clusters that share an anchor: each has to be named for the others to wait for it. */
export type AnchorMembers =
  | {
      /** Name of this cluster among those that share its anchor. */
      readonly cluster: string;
      /** Names of the others: no anchor is retired before all of them have adopted the next. */
      readonly members: readonly string[];
    }
  | { readonly cluster?: string; readonly members?: never };

/** The way in which the operator rotates the anchor. Everything has a default. */
export type OperatorRotation = AnchorMembers & {
  /**
   * The fate of pods that know only the old anchor.
   *
   * @default { policy: 'Report' }
   */
  readonly laggards?: AnchorLaggards;

  /**
   * Rotations begin, and laggards are restarted, only in these, unless time is short.
   *
   * @default - at any time
   */
  readonly windows?: readonly AnchorWindow[];

  /**
   * Has the operator do nothing until it is false again.
   *
   * @default false
   */
  readonly paused?: boolean;

  /**
   * Takes the rotation that goes on back, and has none begin.
   *
   * @default false
   */
  readonly abort?: boolean;

  /**
   * Retires anchors although there are ExternalWorkloads, or Links to clusters that are not in `members`, of which the
   * operator does not see which anchors they know. Until then the old anchor stays.
   *
   * @default false
   */
  readonly acceptUnseenProxies?: boolean;

  /**
   * Another text than before starts a rotation: a date, for instance.
   *
   * @default - rotations begin `renewBefore` before the anchor's end
   */
  readonly rotateNow?: string;

  /**
   * The longest that a changed ConfigMap or Secret takes to reach the pods that mount it.
   *
   * @default Duration.minutes(3) - the kubelet looks once a minute, and its cache may be a minute old
   */
  readonly propagationDelay?: Duration;

  /**
   * Most meshed workloads that a rotation may have to restart, one after the other: what `renewBefore` has to leave time
   * for. Nothing but a check at synth depends on it.
   *
   * @default 200
   */
  readonly workloads?: number;

  /**
   * Certificates in PEM of the anchor that the mesh lives by now, where its key is not in the cluster, as after
   * `linkerd install`. They are in the trust bundle as long as they stand here: until the first rotation is done.
   *
   * @default - none
   */
  readonly previous?: string;
};

/** The keys of OperatorRotation. */
export const OPERATOR_ROTATION = keysOf<OperatorRotation>({
  cluster: true,
  members: true,
  laggards: keysOf<AnchorLaggards>({ policy: true, maxUnavailableWorkloads: true, progressDeadline: FREE }),
  windows: each(keysOf<AnchorWindow>({ days: true, start: true, duration: FREE })),
  paused: true,
  abort: true,
  acceptUnseenProxies: true,
  rotateNow: true,
  propagationDelay: FREE,
  workloads: true,
  previous: true,
});

/** Checks the options of a rotation by the operator for values that the API server would refuse in the TrustAnchor. */
export function checkOperatorRotation(rotation: OperatorRotation): readonly Problem[] {
  const { laggards = {}, windows = [], cluster, members, propagationDelay, rotateNow, workloads = 0 } = rotation;
  const { policy = 'Report', maxUnavailableWorkloads = 1, progressDeadline } = laggards;
  return [
    ...wrong('laggards.policy', policy, ['Report', 'Restart', 'Never'].includes(policy), 'Report, Restart or Never'),
    ...checkCount('laggards.maxUnavailableWorkloads', maxUnavailableWorkloads, 1, MOST_UNAVAILABLE_WORKLOADS),
    ...checkCount('workloads', workloads, 0, Number.MAX_SAFE_INTEGER),
    ...checkTime('laggards.progressDeadline', progressDeadline, DAY, '24h'),
    ...checkTime('propagationDelay', propagationDelay, DAY, '24h'),
    ...wrong('rotateNow', rotateNow, isShort(rotateNow, 253), 'a text of 1 to 253 characters, for example a date'),
    ...wrong('windows', windows.length, windows.length <= MOST_WINDOWS, `at most ${MOST_WINDOWS}`),
    ...windows.flatMap(({ days = [], start, duration }, index) => [
      ...wrong(`windows[${index}].start`, start, TIME.test(start), "hours and minutes in UTC: '02:00'"),
      ...wrong(`windows[${index}].days`, days, isDays(days), `some of ${WEEKDAYS.join(', ')}`),
      ...checkTime(`windows[${index}].duration`, duration, 7 * DAY, '168h'),
    ]),
    ...(cluster === undefined ? [] : checkDnsLabel('trustAnchor.operator.cluster', cluster)),
    ...(members === undefined ? [] : checkMembers(cluster, members)),
  ];
}

const MOST_WINDOWS = 32;
const TIME = /^([01][0-9]|2[0-3]):[0-5][0-9]$/;

function isShort(text: string | undefined, most: number): boolean {
  return text === undefined || (text.length > 0 && text.length <= most);
}

function isDays(days: readonly string[]): boolean {
  return days.every((day, index) => (WEEKDAYS as readonly string[]).includes(day) && days.indexOf(day) === index);
}

function checkMembers(cluster: string | undefined, members: readonly string[]): readonly Problem[] {
  const others = 'the names of the other clusters, each once, and `cluster`, the name of this one';
  const isRight =
    members.length <= MOST_MEMBERS &&
    new Set(members).size === members.length &&
    (members.length === 0 || cluster !== undefined) &&
    !members.includes(cluster ?? '');
  return [
    ...wrong('members', members, isRight, others),
    ...members.flatMap((member, index) => checkDnsLabel(`trustAnchor.operator.members[${index}]`, member)),
  ];
}

function checkCount(field: string, count: number, least: number, most: number): readonly Problem[] {
  const isRight = Number.isInteger(count) && count >= least && count <= most;
  return wrong(field, count, isRight, `a whole number from ${least} to ${most}`);
}

function checkTime(field: string, time: Duration | undefined, most: number, mostText: string): readonly Problem[] {
  if (time === undefined) return [];
  const problems = checkGoDuration(`trustAnchor.operator.${field}`, time);
  if (problems.length > 0) return problems;
  const ms = milliseconds(time);
  return wrong(field, `${ms} ms`, ms > 0 && ms <= most, `more than 0, and at most ${mostText}`);
}

function wrong(field: string, value: unknown, isRight: boolean, allowed: string): readonly Problem[] {
  if (isRight) return [];
  const path = `trustAnchor.operator.${field}`;
  const parameters = { path, value: shownValue(value), allowed };
  return [PKI_FINDINGS.trustAnchorRefused(parameters, { about: path })];
}

/** Checks the common name of anchors that the operator numbers. */
export function checkAnchorName(commonName: string): readonly Problem[] {
  if (commonName.length <= LONGEST_COMMON_NAME) return [];
  const parameters = { name: commonName, length: commonName.length, most: LONGEST_COMMON_NAME };
  return [PKI_FINDINGS.certificateNameTooLongAnchor(parameters)];
}
