import {
  ANCHOR_KEY_PATTERN,
  type LaggardPolicy,
  MAX_COMMON_NAME_LENGTH,
  MAX_COMPROMISED,
  MAX_IGNORED_NAMESPACES,
  MAX_MEMBERS,
  type ProbePolicy,
  WEEKDAYS,
  type Weekday,
} from '#anchor/trust-anchor';
import type { Problem } from '#base/findings/problem';
import { DAY } from '#base/time-units';
import { checkDnsLabel, checkDnsSubdomain } from '#kubernetes/names';
import { checkGoDuration, type DurationLike, milliseconds } from '#kubernetes/options/duration-like';
import { BOOLEAN, DURATION, each, keysOf, LIST, NUMBER } from '#kubernetes/options/known-keys';
import { MAX_UNAVAILABLE_WORKLOADS } from '#operator/api/linkerd-config';
import { ANCHOR_BRIDGE, type AnchorBridge, checkBridge, isShort, wrong } from './anchor-bridge';
import { PKI_FINDINGS } from './findings';

/** A weekly time window, in UTC, in which the operator may start a rotation and restart laggards. */
export interface AnchorWindow {
  /**
   * Days on which the window opens.
   *
   * @default - every day
   */
  readonly days?: readonly Weekday[];
  /** Time at which the window opens: `'02:00'`. */
  readonly start: string;
  /** Length of the window, at most a week. */
  readonly duration: DurationLike;
}

/** What to do with laggards: pods that trust only the old anchor, which cannot be retired before they restart. */
export interface AnchorLaggards {
  /**
   * - `Report`: list them, and restart them when the remaining time just suffices if every step takes its maximum.
   * - `Restart`: restart them as soon as new pods trust the next anchor of this cluster, or of a linked cluster, which
   *   waits for these restarts.
   * - `Never`: list them, and raise an alert.
   *
   * @default 'Report'
   */
  readonly policy?: LaggardPolicy;

  /**
   * Maximum number of workloads that restart at a time, up to 1,000.
   *
   * @default 1
   */
  readonly maxUnavailableWorkloads?: number;

  /**
   * How long a restart may take, at most a day. After this time, a workload whose new pods do not start stops all
   * further restarts; another unfinished workload gives its slot to the next one.
   *
   * @default Duration.minutes(10)
   */
  readonly progressDeadline?: DurationLike;

  /**
   * Namespaces whose pods the operator neither waits for nor restarts, except after a key leaked: for example of
   * tenants with pods that trust no anchor of this mesh. Other pods may refuse them when the old anchor is retired.
   *
   * @default - none
   */
  readonly ignoredNamespaces?: readonly string[];
}

/** The clusters that share an anchor. Each cluster waits only for its `members`. */
export type AnchorMembers =
  | {
      /** Name of this cluster among those that share its anchor. */
      readonly cluster: string;
      /** Names of the other clusters: no anchor is retired before all of them have adopted the next one. */
      readonly members: readonly string[];
    }
  | { readonly cluster?: string; readonly members?: never };

/** A cluster whose anchors this one certifies: its owner can issue identities that this cluster accepts. */
export interface CertifiedMember {
  /** Name of the cluster, one of `members`. */
  readonly cluster: string;

  /**
   * Trust domain of that cluster, different from that of this one. Certificates of that cluster are then valid only
   * for identities of its trust domain.
   *
   * @default - no constraint: that cluster can issue any identity, including those of this one
   */
  readonly trustDomain?: string;
}

/** How the operator rotates the anchor. Everything has a default. */
export type OperatorRotation = AnchorMembers & {
  /**
   * What to do with pods that trust only the old anchor.
   *
   * @default { policy: 'Report' }
   */
  readonly laggards?: AnchorLaggards;

  /**
   * Who signs the bridge, a certificate of the next anchor, if the key of the current anchor is not in the cluster.
   *
   * @default { signedBy: 'Key' }
   */
  readonly bridge?: AnchorBridge;

  /**
   * Members whose anchors this cluster certifies with its own, on request: their `bridge` names this cluster.
   *
   * @default - none
   */
  readonly certifies?: readonly CertifiedMember[];

  /**
   * Windows in which rotations start when they are due, and laggards are restarted, unless time is short. `rotateNow`
   * and `compromised` do not wait for them.
   *
   * @default - at any time
   */
  readonly windows?: readonly AnchorWindow[];

  /**
   * Pause rotations, and restarts of workloads. The operator still extends an anchor that would expire, and restarts
   * identity if needed.
   *
   * @default false
   */
  readonly paused?: boolean;

  /**
   * Roll back the current rotation, as long as that is possible, and start no other.
   *
   * @default false
   */
  readonly abort?: boolean;

  /**
   * Retire anchors even if the mesh has ExternalWorkloads, or Links to clusters outside `members`: the operator cannot
   * see which anchors their proxies trust. With `false`, the old anchor stays.
   *
   * @default false
   */
  readonly acceptUnseenProxies?: boolean;

  /**
   * What the operator does with certificates that it reads from proxies. `Gate`: report certificates that other pods
   * refuse, and keep an anchor that some certificates still need. `Report`: only report.
   *
   * @default 'Gate'
   */
  readonly probes?: ProbePolicy;

  /**
   * A new value starts a rotation. Use a date, for example.
   *
   * @default - rotations begin `renewBefore` before the anchor's expiry, or earlier if a user has to sign the bridge
   */
  readonly rotateNow?: string;

  /**
   * Leaked keys of anchors, up to eight, each as `status.anchors` of the TrustAnchor shows it: 64 hexadecimal digits.
   * The operator replaces their anchors without a bridge, and restarts all meshed workloads (unless `laggards.policy`
   * is `Never`), up to three times and at any hour, until no pod trusts them: docs/emergency.md. The keys may stay in
   * the list afterwards.
   *
   * @default - none
   */
  readonly compromised?: readonly string[];

  /**
   * The longest time until a changed ConfigMap or Secret reaches the pods that mount it.
   *
   * @default Duration.minutes(3) - the kubelet checks once a minute, and its cache may be a minute old
   */
  readonly propagationDelay?: DurationLike;

  /**
   * Maximum number of meshed workloads that a rotation may have to restart, one after the other, within `renewBefore`.
   * Used only by a check at synth.
   *
   * @default 200
   */
  readonly workloads?: number;

  /**
   * PEM certificates of the anchor that the mesh uses now, if its key is not in the cluster, as after `linkerd
   * install`. They stay in the trust bundle as long as they are set. Remove them after the first rotation.
   *
   * @default - none
   */
  readonly previous?: string;
};

/** The keys of OperatorRotation. */
export const OPERATOR_ROTATION = keysOf<OperatorRotation>({
  cluster: true,
  members: LIST,
  laggards: keysOf<AnchorLaggards>({
    policy: true,
    maxUnavailableWorkloads: NUMBER,
    progressDeadline: DURATION,
    ignoredNamespaces: LIST,
  }),
  bridge: ANCHOR_BRIDGE,
  certifies: each(keysOf<CertifiedMember>({ cluster: true, trustDomain: true })),
  windows: each(keysOf<AnchorWindow>({ days: LIST, start: true, duration: DURATION })),
  paused: BOOLEAN,
  abort: BOOLEAN,
  acceptUnseenProxies: BOOLEAN,
  probes: true,
  rotateNow: true,
  compromised: LIST,
  propagationDelay: DURATION,
  workloads: NUMBER,
  previous: true,
});

/** Checks the options of a rotation by the operator for values that the API server would refuse in the TrustAnchor. */
export function checkOperatorRotation(rotation: OperatorRotation, controlPlaneNamespace: string): readonly Problem[] {
  const {
    laggards = {},
    windows = [],
    cluster,
    members,
    propagationDelay,
    rotateNow,
    compromised = [],
    bridge,
    probes = 'Gate',
    certifies = [],
    workloads = 0,
  } = rotation;
  return [
    ...checkLaggards(laggards, controlPlaneNamespace),
    ...checkCount('workloads', workloads, 0, Number.MAX_SAFE_INTEGER),
    ...checkTime('propagationDelay', propagationDelay, DAY, '24h'),
    ...checkBridge(bridge),
    ...wrong('probes', probes, ['Gate', 'Report'].includes(probes), 'Gate or Report'),
    ...wrong('rotateNow', rotateNow, isShort(rotateNow, 253), 'a text of 1 to 253 characters, for example a date'),
    ...wrong(
      'compromised',
      compromised,
      isSet(compromised, MAX_COMPROMISED),
      `at most ${MAX_COMPROMISED} keys, each once`,
    ),
    ...(isSet(compromised, MAX_COMPROMISED) ? compromised : []).flatMap((key, index) =>
      wrong(
        `compromised[${index}]`,
        key,
        new RegExp(ANCHOR_KEY_PATTERN).test(key),
        '64 hexadecimal digits, as status.anchors of the TrustAnchor shows them',
      ),
    ),
    ...wrong('windows', windows.length, windows.length <= MAX_WINDOWS, `at most ${MAX_WINDOWS}`),
    ...windows.flatMap(({ days = [], start, duration }, index) => [
      ...wrong(`windows[${index}].start`, start, TIME.test(start), "hours and minutes in UTC: '02:00'"),
      ...wrong(`windows[${index}].days`, days, isDays(days), `some of ${WEEKDAYS.join(', ')}`),
      ...checkTime(`windows[${index}].duration`, duration, 7 * DAY, '168h'),
    ]),
    ...(cluster === undefined ? [] : checkDnsLabel('trustAnchor.operator.cluster', cluster)),
    ...(members === undefined ? [] : checkMembers(cluster, members)),
    ...checkCertifies(certifies, members ?? []),
    ...wrong(
      'certifies',
      certifies.map(({ cluster: one }) => one),
      certifies.length === 0 || bridge?.member === undefined,
      'nothing with bridge.member: a certified cluster cannot certify others',
    ),
    ...wrong(
      'bridge.member',
      bridge?.member,
      bridge?.member === undefined || members?.includes(bridge.member) === true,
      'one of members',
    ),
  ];
}

function checkLaggards(
  { policy = 'Report', maxUnavailableWorkloads = 1, progressDeadline, ignoredNamespaces = [] }: AnchorLaggards,
  controlPlaneNamespace: string,
): readonly Problem[] {
  return [
    ...wrong('laggards.policy', policy, ['Report', 'Restart', 'Never'].includes(policy), 'Report, Restart or Never'),
    ...checkCount('laggards.maxUnavailableWorkloads', maxUnavailableWorkloads, 1, MAX_UNAVAILABLE_WORKLOADS),
    ...wrong(
      'laggards.ignoredNamespaces',
      ignoredNamespaces,
      isSet(ignoredNamespaces, MAX_IGNORED_NAMESPACES) && !ignoredNamespaces.includes(controlPlaneNamespace),
      `at most ${MAX_IGNORED_NAMESPACES} namespaces, each once, and not that of the control plane`,
    ),
    ...(isSet(ignoredNamespaces, MAX_IGNORED_NAMESPACES) ? ignoredNamespaces : []).flatMap((name, index) =>
      checkDnsLabel(`trustAnchor.operator.laggards.ignoredNamespaces[${index}]`, name),
    ),
    ...checkTime('laggards.progressDeadline', progressDeadline, DAY, '24h'),
  ];
}

function checkCertifies(certifies: readonly CertifiedMember[], members: readonly string[]): readonly Problem[] {
  return certifies.flatMap(({ cluster, trustDomain }, index) => [
    ...wrong(
      `certifies[${index}].cluster`,
      cluster,
      members.includes(cluster) && certifies.findIndex((one) => one.cluster === cluster) === index,
      'one of members, each once',
    ),
    ...(trustDomain === undefined
      ? []
      : checkDnsSubdomain(`trustAnchor.operator.certifies[${index}].trustDomain`, trustDomain)),
  ]);
}

const MAX_WINDOWS = 32;
const TIME = /^([01][0-9]|2[0-3]):[0-5][0-9]$/;

function isSet(texts: readonly string[], most: number): boolean {
  return Array.isArray(texts) && texts.length <= most && new Set(texts).size === texts.length;
}

function isDays(days: readonly string[]): boolean {
  return days.every((day, index) => (WEEKDAYS as readonly string[]).includes(day) && days.indexOf(day) === index);
}

function checkMembers(cluster: string | undefined, members: readonly string[]): readonly Problem[] {
  const others = 'the names of the other clusters, each once, and `cluster`, the name of this one';
  const isRight =
    members.length <= MAX_MEMBERS &&
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

function checkTime(field: string, time: DurationLike | undefined, most: number, mostText: string): readonly Problem[] {
  if (time === undefined) return [];
  const problems = checkGoDuration(`trustAnchor.operator.${field}`, time);
  if (problems.length > 0) return problems;
  const ms = milliseconds(time);
  return wrong(field, `${ms} ms`, ms > 0 && ms <= most, `more than 0, and at most ${mostText}`);
}

/** Checks the common name of anchors, to which the operator adds a number. */
export function checkAnchorName(commonName: string): readonly Problem[] {
  if (commonName.length <= MAX_COMMON_NAME_LENGTH) return [];
  const parameters = { name: commonName, length: commonName.length, most: MAX_COMMON_NAME_LENGTH };
  return [PKI_FINDINGS.nameTooLongAnchor(parameters)];
}
