import type { CatalogueEntry } from '#base/findings/catalogue';
import { present, type Time } from '../live/fields';
import { itemsOf, type StatusObservation } from '../live/observation';
import { APPLICATION_FINDINGS } from './application-findings';
import { type StatusFinding, type StatusInput, type StatusRule, statusFinding } from './finding';
import { STATUS_FINDINGS } from './findings';
import type { ClusterIntent, FleetIntent } from './intent';
import {
  type ApplicationsInput,
  applicationsOf,
  checkApplications,
  commitsOf,
  type ObservedArgoCd,
} from './rules/applications';
import { checkCertificates } from './rules/certificates';
import { checkMeshedPods } from './rules/meshed-pods';
import { checkOperated } from './rules/operated';
import { checkReading } from './rules/reading';
import { checkSuccessRate } from './rules/success-rate';
import { checkTraffic } from './rules/traffic';
import { checkTrustRoots } from './rules/trust-roots';
import { checkWebhooks } from './rules/webhooks';
import { checkWorkloads, proxiesByRelease, runningRelease } from './rules/workloads';
import { certificatesIn, endOf, nameOf, trustRootsIn } from './x509';

/** The severity of a finding about a cluster. */
export type Severity = CatalogueEntry['severity'];

/** The state of one cluster. */
export interface ClusterStatus {
  readonly cluster: string;
  readonly ring?: string;
  /** Release of the control plane as it runs; absent if unknown. */
  readonly release?: string;
  /** Release of the control plane in the output. */
  readonly intended?: string;
  /** Number of meshed pods by the release of their proxy, the newest first. */
  readonly proxies: readonly { readonly release: string; readonly pods: number }[];
  /** The slack of the rotation of the trust anchor, as the operator reports it: `9y`. */
  readonly slack?: string;
  /** The commit that all Applications of the cluster are at; absent if they differ, or are unknown. */
  readonly commit?: string;
  readonly next: readonly NextEvent[];
  /** The worst first. */
  readonly findings: readonly StatusFinding[];
}

interface NextEvent {
  readonly at: Time;
  readonly what: string;
}

/** The intended and the observed state of one cluster. */
export interface ClusterInput {
  readonly intent: ClusterIntent;
  /** Absent if only Applications were read. */
  readonly seen?: StatusObservation;
  /** The Applications of all clusters; absent if they were not read. */
  readonly argocd?: ObservedArgoCd;
  readonly commit?: string;
  /** Findings of the comparison with the output, if requested. */
  readonly drift?: readonly StatusFinding[];
  readonly now: Time;
  readonly kubectl: string;
}

const RULES: readonly StatusRule[] = [
  ({ seen }) => checkReading(seen),
  checkWorkloads,
  checkMeshedPods,
  checkOperated,
  checkCertificates,
  checkTrustRoots,
  checkWebhooks,
  checkTraffic,
  checkSuccessRate,
];

/** Returns the state of a cluster. */
export function clusterStatus({ intent, seen, argocd, commit, drift = [], now, kubectl }: ClusterInput): ClusterStatus {
  const apps = argocd && present<ApplicationsInput>({ intent, ...argocd, now, commit });
  const ofApplications = apps === undefined ? [] : checkApplications(apps);
  const commits = new Set(apps && commitsOf(applicationsOf(intent, apps.applications).values()));
  const [at] = commits.size === 1 ? commits : [];
  const common = { intended: intent.release, commit: at };
  if (seen === undefined) return statusOf(intent, [...ofApplications, ...checkSuccessRate({ intent })], common);
  if (seen.unreachable !== undefined) {
    const unreachable = statusFinding(STATUS_FINDINGS.clusterUnreachable({ reason: seen.unreachable, kubectl }));
    return statusOf(intent, [unreachable, ...ofApplications], common);
  }
  const input: StatusInput = { intent, seen, now, kubectl };
  return statusOf(intent, [...ofApplications, ...RULES.flatMap((rule) => rule(input)), ...drift], {
    ...common,
    release: runningRelease(input),
    proxies: [...proxiesByRelease(seen)].map(([of, pods]) => ({ release: of, pods: pods.length })),
    slack: itemsOf(seen.trustAnchors)?.[0]?.slack,
    next: nextEvents(input),
  });
}

/** Returns the state of a cluster whose context is unknown, or has no cluster in the kubeconfig. */
export function clusterWithoutContext(
  intent: ClusterIntent,
  { context, isKnown }: { readonly context: string; readonly isKnown: boolean },
): ClusterStatus {
  const problem = isKnown
    ? STATUS_FINDINGS.clusterContextMissingCluster({ context })
    : STATUS_FINDINGS.clusterContextMissingContext({ context });
  return statusOf(intent, [statusFinding(problem)]);
}

type Known = { readonly [K in keyof ClusterStatus]?: ClusterStatus[K] | undefined };

function statusOf(
  { name, ring }: ClusterIntent,
  findings: readonly StatusFinding[],
  { proxies = [], slack, next = [], ...known }: Known = {},
): ClusterStatus {
  const cluster = { cluster: name, ring: ring?.name, ...known };
  return present<ClusterStatus>({ ...cluster, proxies, slack, next, findings: worstFirst(findings) });
}

/** Returns the state of a cluster with more findings. */
export function withFindings(status: ClusterStatus, findings: readonly StatusFinding[]): ClusterStatus {
  return { ...status, findings: worstFirst([...findings, ...status.findings]) };
}

/** Returns the finding about Applications that could not be read. */
export function applicationsUnread(reason: string): StatusFinding {
  return statusFinding(APPLICATION_FINDINGS.applicationsUnread({ reason }));
}

/** The severities, the worst first. */
export const SEVERITIES: readonly Severity[] = ['error', 'warning', 'note'];

function worstFirst(findings: readonly StatusFinding[]): readonly StatusFinding[] {
  return SEVERITIES.flatMap((severity) => findings.filter((one) => one.severity === severity));
}

/** Returns the worst severity of findings; undefined if there are none. */
export function worstOf(findings: readonly StatusFinding[]): Severity | undefined {
  return SEVERITIES.find((severity) => findings.some((one) => one.severity === severity));
}

const MAX_EVENTS = 5;
const MAX_FLEET_EVENTS = 12;

function nextEvents({ intent, seen, now }: StatusInput): readonly NextEvent[] {
  const certificates = itemsOf(seen.certificates) ?? [];
  const renewals = certificates.flatMap(({ namespace, name, renewalTime }) =>
    renewalTime === undefined ? [] : [{ at: renewalTime, what: `renewal of the certificate ${namespace}/${name}` }],
  );
  const rotations = (itemsOf(seen.trustAnchors) ?? []).flatMap(({ nextRotation }) =>
    nextRotation === undefined ? [] : [{ at: nextRotation, what: 'rotation of the trust anchor' }],
  );
  const ends = certificatesIn(trustRootsIn(intent.controlPlane, seen)).map((root) => ({
    at: endOf(root),
    what: `expiry of the trust root ${nameOf(root.subject)}`,
  }));
  return soonest([...renewals, ...rotations, ...ends], now).slice(0, MAX_EVENTS);
}

function soonest<E extends NextEvent>(events: readonly E[], now: Time): readonly E[] {
  return events.filter(({ at }) => at > now).sort((a, b) => a.at - b.at);
}

/** The state of several clusters. */
export interface FleetStatus {
  readonly time: Time;
  readonly rings: readonly RingStatus[];
  readonly clusters: readonly ClusterStatus[];
  /** The first events, in the order of their times. Each has its first time, and all clusters that it concerns. */
  readonly next: readonly FleetEvent[];
  /** Findings that concern no single cluster. */
  readonly findings: readonly StatusFinding[];
}

interface FleetEvent extends NextEvent {
  readonly clusters: readonly string[];
}

/** The clusters of one ring. */
export interface RingStatus {
  /** Absent for clusters without a ring. */
  readonly ring?: string;
  readonly clusters: number;
  /** Clusters without errors. */
  readonly healthy: number;
  /** Releases of control planes as they run, with their number of clusters. */
  readonly releases: readonly { readonly release: string; readonly clusters: number }[];
  readonly worst?: Severity;
}

/** Combines the states of clusters. */
export function fleetStatus(
  clusters: readonly ClusterStatus[],
  {
    intent,
    findings,
    now,
  }: { readonly intent: FleetIntent; readonly findings: readonly StatusFinding[]; readonly now: Time },
): FleetStatus {
  const order = [...intent.rings.map(({ name }) => name), undefined];
  const rings = order.flatMap((ring) => {
    const own = clusters.filter((one) => one.ring === ring || (ring === undefined && !order.includes(one.ring)));
    return own.length === 0 ? [] : [ringStatus(ring, own)];
  });
  return { time: now, rings, clusters, next: fleetEvents(clusters, now).slice(0, MAX_FLEET_EVENTS), findings };
}

function fleetEvents(clusters: readonly ClusterStatus[], now: Time): readonly FleetEvent[] {
  const all = clusters.flatMap(({ cluster, next }) => next.map((event) => ({ ...event, cluster })));
  const byWhat = new Map<string, { at: Time; what: string; clusters: string[] }>();
  for (const { at, what, cluster } of soonest(all, now)) {
    const known = byWhat.get(what);
    if (known === undefined) byWhat.set(what, { at, what, clusters: [cluster] });
    else if (!known.clusters.includes(cluster)) known.clusters.push(cluster);
  }
  return [...byWhat.values()];
}

function ringStatus(ring: string | undefined, clusters: readonly ClusterStatus[]): RingStatus {
  const releases = new Map<string, number>();
  for (const { release = 'unknown' } of clusters) releases.set(release, (releases.get(release) ?? 0) + 1);
  const worst = worstOf(clusters.flatMap(({ findings }) => findings));
  return {
    ...(ring !== undefined && { ring }),
    clusters: clusters.length,
    healthy: clusters.filter(isHealthy).length,
    releases: [...releases].map(([release, count]) => ({ release, clusters: count })),
    ...(worst !== undefined && { worst }),
  };
}

/** Whether a cluster has no errors. */
export function isHealthy({ findings }: Pick<ClusterStatus, 'findings'>): boolean {
  return findings.every(({ severity }) => severity !== 'error');
}
