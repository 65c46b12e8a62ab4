import type { Duration } from 'cdk8s';
import { shownValue } from '../../../operator/api/kubernetes/shown-value';
import { MOST_UNAVAILABLE_WORKLOADS } from '../../../operator/api/linkerd-config';
import { DAY } from '../../../operator/api/time-units';
import { LONGEST_COMMON_NAME, MOST_MEMBERS, WEEKDAYS } from '../../../operator/api/trust-anchor';
import type { Problem } from '../../kubernetes/findings/problem';
import { checkGoDuration } from '../../kubernetes/go-duration';
import { checkDnsLabel } from '../../kubernetes/names';
import { PKI_FINDINGS } from './findings';
import type { OperatorRotation } from './operator-rotation';
import { milliseconds } from './validity';

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
