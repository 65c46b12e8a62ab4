import { isUnproven } from '#anchor/certified';
import { withFlaw } from '#anchor/findings';
import { pairsOf } from '#anchor/pairs';
import type { AnchorPlan } from '#anchor/plan';
import { next } from '#anchor/rotation/next';
import { TRUST_ANCHOR_NAME } from '#anchor/trust-anchor';
import { goDurationMs } from '#base/go-duration';
import { isApiError } from '#controller-runtime/client/api-error';
import type { KubeClient } from '#controller-runtime/client/kube-client';
import type { ReconcileResult } from '#controller-runtime/controller/controller';
import type { EventRecorder } from '#controller-runtime/events/event-recorder';
import type { Logger } from '#controller-runtime/telemetry/logger';
import type { ServerClock } from '#controller-runtime/timing/server-clock';
import { type ActOutcome, act } from './act/act';
import { Outdated } from './act/action-context';
import type { AnchorCaches, AnchorPlaces } from './caches/anchor-caches';
import type { LaggardRestarts } from './laggards/restart-laggards';
import type { AnchorMeasures, AnchorMetrics } from './metrics';
import type { MeshedPod } from './objects/meshed-pod';
import { memoryOf, TRUST_ANCHORS, type TrustAnchor, withDefaults } from './objects/trust-anchor';
import type { ReadIssuerEnds } from './observe/issuer-ends';
import { type LateKind, observe, type TrustView } from './observe/observe';
import { identityPods } from './observe/observe-pods';
import type { Outside, ReadOutside } from './observe/outside';
import { nextWindow } from './observe/windows';
import type { Prober } from './probe/prober';
import { publishMember } from './publish-member';
import { problemStatus, statusOf } from './status/anchor-status';
import { type AnchorProblem, unreadable } from './status/problems';
import type { StatusInput } from './status/status-input';
import { statusNotes } from './status/status-notes';
import { statusNews, writeStatus } from './status/write-status';

/** The dependencies for managing the anchor, and the memory between two observations. */
export interface AnchorContext extends AnchorPlaces {
  readonly client: KubeClient;
  readonly events: EventRecorder;
  readonly log: Logger;
  readonly caches: AnchorCaches;
  readonly restarts: LaggardRestarts;
  readonly metrics: AnchorMetrics;
  readonly readIssuerEnds: ReadIssuerEnds;
  readonly readOutside: ReadOutside;
  readonly prober: Prober;
  /** Reads the PEM of the issuer of an installation without cert-manager. */
  readonly readInstalledIssuer: (signal: AbortSignal) => Promise<string>;
  readonly clock: () => Date;
  /** The API server's clock, to detect a wrong clock of this process, which times the waits. */
  readonly serversClock: Pick<ServerClock, 'aheadMs'>;
  readonly memory: ReconcileMemory;
}

/** Facts that are useful between two observations, and may be lost. */
export interface ReconcileMemory {
  /** The time of the last write of details, in milliseconds of a monotonic clock. */
  detailedAt?: number;
  /** The reason why the last writes were refused. */
  refused?: string;
  /** Since when caches have been incomplete. */
  incompleteSince?: number;
  /** True while workloads restart. */
  isRestarting?: boolean;
  /** Pods whose certificates a bundle refuses, `namespace/name`. */
  suspects?: readonly string[];
  /** True once this process has published its report to other clusters. */
  isPublished?: boolean;
}

const IDLE_MS = 60_000;

/** Milliseconds between the starts of two rounds of probes. */
const PROBE_MS = { least: 1_000, rotating: 60_000, resting: 600_000 };

/** Milliseconds until the next observation after an object changed during this one. */
const OUTDATED_MS = 250;

/** Milliseconds between two writes of a status in which only numbers changed. */
const DETAILS_MS = 10_000;

/** Milliseconds until an unreadable kind is reported, and between observations until it can be read. */
const READING_MS = 15_000;
const UNREAD_MS = 1_000;

/** Observes the anchor, decides, writes the memory, reports, and acts. */
export async function reconcileAnchor(
  context: AnchorContext,
  signal: AbortSignal,
): Promise<ReconcileResult | undefined> {
  const { client, metrics, caches, clock, memory } = context;
  const read = await client.get<TrustAnchor>(TRUST_ANCHORS, TRUST_ANCHOR_NAME, { signal });
  if (read === undefined || read.metadata.deletionTimestamp !== undefined) {
    metrics.clear();
    return undefined;
  }
  const anchor = withDefaults(read);
  const unserved = checkPlaces(anchor, context);
  if (unserved !== undefined) return tell(anchor, unserved, context, signal);
  const wrongClock = checkClock(anchor, context);
  if (wrongClock !== undefined) {
    return { ...(await tell(anchor, wrongClock, context, signal)), requeueAfterMs: READING_MS };
  }
  const missing = caches.missing();
  if (missing.length > 0) {
    memory.incompleteSince ??= performance.now();
    if (performance.now() - memory.incompleteSince < READING_MS) return { requeueAfterMs: UNREAD_MS };
    return { ...(await tell(anchor, unreadable(missing), context, signal)), requeueAfterMs: UNREAD_MS };
  }
  memory.incompleteSince = undefined;
  const view = await completeView(anchor, context, signal);
  const now = clock();
  const observation = observe(view, now.getTime());
  const decided = next(observation.trust, now.getTime());
  const plan = { ...decided, milestones: decided.milestones.map(withFlaw) };
  const laggards = context.restarts.plan({ anchor, trust: observation.trust, plan }, now);
  const pairs = pairsOf(observation.trust, plan.memory);
  memory.suspects = pairs.proxies.map(({ pod }) => pod);
  const input = { anchor, view, observation, plan, pairs, ...(laggards && { laggards }), refused: memory.refused };
  memory.isRestarting = laggards !== undefined;
  try {
    return await carryOut(input, context, signal);
  } catch (error) {
    // The TrustAnchor or the report changed, so the decision is outdated.
    if (error instanceof Outdated || isApiError(error, 409)) return { requeueAfterMs: OUTDATED_MS };
    throw error;
  }
}

async function completeView(anchor: TrustAnchor, context: AnchorContext, signal: AbortSignal): Promise<TrustView> {
  const [late, { unread = [], ...outside }] = await Promise.all([
    lateKindsOf(anchor, context, signal),
    outsideOf(anchor, context, signal),
  ]);
  const view = context.caches.view();
  const probes = probesOf(anchor, view.pods, context, signal);
  const isIssued = view.issuerCertificate?.status?.revision !== undefined;
  const [issuerEnds, installedIssuer] = await Promise.all([
    context.readIssuerEnds(identityPods(view.pods, anchor.spec.controlPlaneNamespace), signal),
    isIssued ? '' : context.readInstalledIssuer(signal),
  ]);
  return {
    ...view,
    anchor,
    issuerEnds,
    installedIssuer,
    late: [...late, ...unread],
    ...outside,
    ...(probes && { probes }),
  };
}

/** Returns the last round of probes, and starts the next one if it is due. */
function probesOf(
  anchor: TrustAnchor,
  pods: readonly MeshedPod[],
  { prober, memory }: AnchorContext,
  signal: AbortSignal,
): TrustView['probes'] {
  const { controlPlaneNamespace } = anchor.spec;
  const { suspects = [] } = memory;
  const { bundles, rotation } = memoryOf(anchor);
  const request = {
    pods,
    controlPlaneNamespace,
    everyMs: probeEveryMs(anchor),
    bundles: bundles.map(({ hash }) => hash),
    found: (rotation?.oldChains ?? []).map(({ pod }) => pod),
    suspects,
  };
  const round = prober.probe(request, signal);
  return { gates: anchor.spec.probes === 'Gate', ...(round && { round }) };
}

/** Milliseconds between rounds of probes: probes matter most at the end of a rotation. */
function probeEveryMs(anchor: TrustAnchor): number {
  if (memoryOf(anchor).rotation === undefined) return PROBE_MS.resting;
  const { least, rotating } = PROBE_MS;
  return Math.max(least, Math.min(rotating, (goDurationMs(anchor.spec.propagationDelay) ?? 0) / 3));
}

/** Reads proxies outside the cluster, which delay the retirement of an anchor if the user does not accept them. */
async function outsideOf(
  anchor: TrustAnchor,
  { readOutside }: AnchorContext,
  signal: AbortSignal,
): Promise<{ readonly outside?: Outside; readonly unread?: readonly LateKind[] }> {
  const { rotation } = memoryOf(anchor);
  if (rotation === undefined || rotation.retiring || anchor.spec.acceptUnseenProxies) return {};
  const { unread, ...outside } = await readOutside(signal);
  return { outside, unread: unread.map((plural) => ({ plural })) };
}

/** Returns late kinds if they matter: for a rotation, or for a report about certificates to another cluster. */
async function lateKindsOf(
  anchor: TrustAnchor,
  { caches, clock }: AnchorContext,
  signal: AbortSignal,
): Promise<readonly LateKind[]> {
  const known = memoryOf(anchor);
  if (known.rotation === undefined && !isUnproven(known)) return [];
  const late = await caches.refresh(goDurationMs(anchor.spec.propagationDelay) ?? 0, signal);
  return late.map(({ plural, untilMs }) => {
    const since = untilMs === undefined ? undefined : clock().getTime() - (performance.now() - untilMs);
    // In whole minutes: the difference between the wall clock and the monotonic clock drifts by seconds.
    return { plural, ...(since !== undefined && { since: new Date(Math.floor(since / 60_000) * 60_000) }) };
  });
}

function checkPlaces({ spec }: TrustAnchor, places: AnchorPlaces): AnchorProblem | undefined {
  const { linkerdNamespace, certManagerNamespace } = places;
  if (spec.controlPlaneNamespace === linkerdNamespace && spec.certManagerNamespace === certManagerNamespace) {
    return undefined;
  }
  return {
    reason: 'UnservedNamespace',
    message: `the operator serves only the control plane in ${linkerdNamespace} and cert-manager in ${certManagerNamespace}`,
  };
}

/** Allowance for the duration of answers, and for their times in whole seconds. */
const ANSWER_MS = 5_000;

/** Reports a wrong clock: with a clock that is days ahead, waits would have no effect. */
function checkClock({ spec }: TrustAnchor, { serversClock }: AnchorContext): AnchorProblem | undefined {
  const aheadMs = serversClock.aheadMs() ?? 0;
  if (Math.abs(aheadMs) <= (goDurationMs(spec.clockSkewAllowance) ?? 0) + ANSWER_MS) return undefined;
  // Without the seconds, which would change the message each time.
  const relation = aheadMs > 0 ? 'ahead of' : 'behind';
  return {
    reason: 'ClockWrong',
    message: `the clock of the operator's node is ${relation} the API server's by more than clockSkewAllowance: one of them is wrong`,
  };
}

async function tell(
  anchor: TrustAnchor,
  problem: AnchorProblem,
  { client, clock, metrics }: AnchorContext,
  signal: AbortSignal,
): Promise<ReconcileResult> {
  metrics.setStuck();
  const status = problemStatus(anchor, problem, clock());
  if (statusNews(anchor.status, status) !== 'none') await writeStatus(anchor, status, { client, signal });
  return {};
}

/** Writes the decision first, so that a new leader can continue it. */
async function carryOut(input: StatusInput, context: AnchorContext, signal: AbortSignal): Promise<ReconcileResult> {
  const { client, clock, log, metrics, memory, prober, restarts } = context;
  const { plan, laggards, observation, view } = input;
  const anchor = await remember(input, context, signal);
  metrics.set({ plan, anchors: anchor.status?.anchors ?? [], ...probedOf(input), isStuck: isStuck(anchor) });
  const { trust, known } = observation;
  const outcome = await act(plan.actions, { client, log, signal, clock, anchor, view, trust, known, plan });
  noteRefusal(outcome, input, context);
  const isDone = !outcome.isOutdated && outcome.refused === undefined;
  if (isDone && laggards !== undefined && laggards.actions.length > 0 && !trust.policy.paused) {
    const holds = async (own: AbortSignal): Promise<boolean> => {
      const fresh = await client.get<TrustAnchor>(TRUST_ANCHORS, TRUST_ANCHOR_NAME, { signal: own });
      return fresh?.metadata.resourceVersion === anchor.metadata.resourceVersion;
    };
    const { isOutdated } = await restarts.run(laggards, { signal, holds });
    if (isOutdated) return { requeueAfterMs: OUTDATED_MS };
  }
  if (isDone) await publishMember({ client, signal, clock, anchor, view, trust, known, plan, log }, memory);
  if (outcome.isOutdated) return { requeueAfterMs: OUTDATED_MS };
  const probeMs = prober.dueInMs(probeEveryMs(anchor));
  return {
    requeueAfterMs: Math.max(
      OUTDATED_MS,
      Math.min(nextReconcileMs(input, clock().getTime(), memory), probeMs ?? IDLE_MS),
    ),
  };
}

async function remember(input: StatusInput, context: AnchorContext, signal: AbortSignal): Promise<TrustAnchor> {
  const { client, clock, events, log, memory } = context;
  const { anchor } = input;
  const status = statusOf(input, clock());
  const news = statusNews(anchor.status, status);
  const isRecent = memory.detailedAt !== undefined && performance.now() - memory.detailedAt < DETAILS_MS;
  if (news === 'none' || (news === 'details' && isRecent)) return anchor;
  const written = await writeStatus(anchor, status, { client, signal });
  memory.detailedAt = performance.now();
  for (const note of statusNotes(anchor.status, status)) {
    events.record({ regarding: anchor, ...note });
    log[note.type === 'Warning' ? 'warn' : 'info'](note.note, { reason: note.reason });
  }
  return written;
}

/** Records a refusal for the next observation. */
function noteRefusal({ refused }: ActOutcome, { refused: known }: StatusInput, { memory, log }: AnchorContext): void {
  if (refused !== undefined && refused !== known) log.warn('a write was refused', { refused });
  memory.refused = refused;
}

function probedOf({ observation: { trust }, pairs }: StatusInput): Pick<AnchorMeasures, 'probed'> {
  const { since, presented, unreached } = trust.probes ?? {};
  if (since === undefined) return {};
  return { probed: { pairs, presented: presented?.length ?? 0, unreached: unreached?.length ?? 0 } };
}

function isStuck({ status }: TrustAnchor): boolean {
  return status?.conditions?.some(({ type, status: value }) => type === 'Degraded' && value === 'True') ?? false;
}

function nextReconcileMs(
  { anchor, plan, laggards, observation, refused }: StatusInput,
  now: number,
  memory: ReconcileMemory,
): number {
  const { windows, propagationDelay } = anchor.spec;
  const opens = nextWindow(windows, now);
  const times = [
    IDLE_MS,
    ...(plan.again === undefined ? [] : [plan.again - now]),
    ...(laggards?.requeueAfterMs === undefined ? [] : [laggards.requeueAfterMs]),
    ...(opens === undefined ? [] : [opens - now]),
    ...(memory.refused !== undefined && memory.refused !== refused ? [OUTDATED_MS] : []),
    ...(isWaiting(plan, observation.trust.identity.length) ? [(goDurationMs(propagationDelay) ?? IDLE_MS) / 10] : []),
  ];
  return Math.max(OUTDATED_MS, Math.min(...times));
}

/** Whether to poll: identity reports its issuer by a metric, which causes no event. */
function isWaiting({ memory: { issuer, rotation } }: AnchorPlan, replicas: number): boolean {
  return replicas > 0 && issuer !== undefined && issuer.takenUp === undefined && rotation !== undefined;
}
