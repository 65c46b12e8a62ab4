import type { AnchorPlan, Laggards, Milestone } from '#anchor/plan';
import { UNSEEN_PROXIES } from '#anchor/rotation/adopted';
import { OLD_CHAINS } from '#anchor/rotation/retired';
import { anchorName, type TrustAnchorStatus } from '#anchor/trust-anchor';
import { conditionOf } from '#base/conditions';
import { kubeTime } from '#controller-runtime/objects/kube-time';
import { type ConditionState, conditionsOf } from '../../config/reconcile/config-status';
import { requestToAnswer } from '../../pki/issuances';
import { knownRequest } from '../../pki/known-certificate';
import type { LaggardPlan } from '../laggards/plan-laggards';
import type { TrustAnchor } from '../objects/trust-anchor';
import { anchorEntries, anchorsSummary } from './anchor-entries';
import { humanTime } from './human-time';
import { overdueText, waitedMembers, waitOf } from './overdue';
import { pairsCondition } from './pairs-condition';
import { type AnchorProblem, problemsOf, strangeRootsProblem } from './problems';
import type { StatusInput } from './status-input';

const MAX_LAGGARDS = 50;

/** Returns the status that reports an observation and records the plan's memory. */
export function statusOf(input: StatusInput, now: Date): TrustAnchorStatus {
  const { anchor, observation, plan, laggards } = input;
  const entries = anchorEntries(observation.trust, observation.known, plan.memory);
  const summary = anchorsSummary(entries, observation.known);
  const { generation } = anchor.metadata;
  return {
    ...(generation !== undefined && { observedGeneration: generation }),
    phase: plan.phase,
    conditions: conditionsOf(conditionStates(input, now), anchor.status?.conditions ?? [], { now, generation }),
    anchors: entries,
    ...(summary !== undefined && { anchorsSummary: summary }),
    ...bridgeStatus(input),
    ...compromisedStatus(plan),
    ...(plan.nextRotation !== undefined && { nextRotation: timeOf(plan.nextRotation) }),
    ...(plan.slack !== undefined && { slack: humanTime(plan.slack) }),
    laggards: laggardsOf(plan.laggards),
    ...(laggards !== undefined && laggards.inProgress.length > 0 && { restarts: { inProgress: laggards.inProgress } }),
    memory: { ...plan.memory },
  };
}

function compromisedStatus({ exposure }: AnchorPlan): Pick<TrustAnchorStatus, 'compromised'> {
  if (exposure === undefined) return {};
  const { keys, inBundle, since, until, isOver: _, ...pods } = exposure;
  const { workloads } = laggardsOf(pods);
  const times = { since: timeOf(since), until: timeOf(until) };
  return { compromised: { keys, pods: pods.pods, inBundle, ...times, workloads } };
}

/** The bridge's path length: one CA, the identity issuer, is below it. */
const PATH_LENGTH = 1;

function bridgeStatus({
  plan: { awaitedSignature },
  view,
  observation,
}: StatusInput): Pick<TrustAnchorStatus, 'bridge'> {
  if (awaitedSignature === undefined) return {};
  const { generation, signer, until, end } = awaitedSignature;
  const certificate = view.certificates.find(({ metadata }) => metadata.name === anchorName(generation));
  const { request = '' } = (certificate && requestToAnswer(certificate, view.requests))?.spec ?? {};
  const { pem, key } = knownRequest(Buffer.from(request, 'base64').toString()) ?? {};
  if (pem === undefined) return {};
  const subjectOf = (wanted: string | undefined): string =>
    observation.known.find((one) => one.key === wanted)?.subject.slice(0, 256) ?? '';
  return {
    bridge: {
      generation,
      request: pem,
      subject: subjectOf(key),
      signer: subjectOf(signer),
      pathLength: PATH_LENGTH,
      ...(end !== undefined && { notAfter: timeOf(end) }),
      ...(until !== undefined && { until: timeOf(until) }),
    },
  };
}

/** JavaScript has no dates beyond this. */
const LAST_TIME = 8.64e15;

function timeOf(ms: number): string {
  return kubeTime(new Date(Math.min(ms, LAST_TIME)));
}

function laggardsOf({ pods, workloads }: Laggards): NonNullable<TrustAnchorStatus['laggards']> {
  return {
    count: workloads.length,
    pods,
    workloads: workloads
      .slice(0, MAX_LAGGARDS)
      .map(({ workload, pods: of, since }) => ({ workload, pods: of, since: timeOf(since) })),
  };
}

/** Returns the status of a TrustAnchor without a decision: the last status, with the reason. */
export function problemStatus(anchor: TrustAnchor, problem: AnchorProblem, now: Date): TrustAnchorStatus {
  const { generation } = anchor.metadata;
  const states = [
    state('Ready', false, problem),
    state('Progressing', false, problem),
    state('Degraded', true, problem),
  ];
  return {
    phase: 'Pending',
    ...anchor.status,
    ...(generation !== undefined && { observedGeneration: generation }),
    conditions: conditionsOf(states, anchor.status?.conditions ?? [], { now, generation }),
  };
}

function conditionStates(input: StatusInput, now: Date): readonly ConditionState[] {
  const { anchor, view, observation, plan, laggards, refused } = input;
  const { trust } = observation;
  const strange = strangeRootsProblem(observation, plan, anchor.spec.certManagerNamespace);
  const wait = waitOf(input, now);
  const overdue = overdueText(wait, now);
  const problems = [
    ...(refused === undefined ? [] : [{ reason: 'WriteRefused', message: refused }]),
    ...problemsOf(view, trust, plan),
    ...(strange !== undefined && isLasting(ROOTS_KNOWN, anchor, trust.policy.patience, now) ? [strange] : []),
    ...(overdue === undefined ? [] : [{ reason: 'Overdue', message: `${wait?.type}: ${overdue}` }]),
    ...(laggards?.verdict.degraded === undefined ? [] : [laggards.verdict.degraded]),
  ];
  const [worst] = problems;
  const degraded = worst && { ...worst, message: problems.map(({ message }) => message).join('; ') };
  return [
    ready(plan),
    progressing(plan, trust.policy.paused, laggards),
    state('Degraded', degraded !== undefined, degraded ?? { reason: 'AsExpected', message: 'Nothing is wrong.' }),
    ...(plan.phase === 'Pending' ? [] : [state(ROOTS_KNOWN, strange === undefined, strange ?? ALL_ROOTS_KNOWN)]),
    ...pairsCondition(input),
    ...withMembers(input, now).map((milestone) =>
      milestoneState(milestone, milestone.type === wait?.type ? overdue : undefined),
    ),
  ];
}

/** Type of the condition that every root in the bundle is known. */
export const ROOTS_KNOWN = 'RootsKnown';

const ALL_ROOTS_KNOWN: AnchorProblem = {
  reason: 'AllKnown',
  message: 'Every root in the bundle is an anchor of this mesh or of one of its members.',
};

/** Whether a condition has been False for longer than controllers need to restore it. */
function isLasting(type: string, { status }: TrustAnchor, patience: number, now: Date): boolean {
  const last = conditionOf(status, type);
  return last?.status === 'False' && now.getTime() - Date.parse(last.lastTransitionTime) >= patience;
}

function milestoneState(
  { type, status, reason, message, until }: Milestone,
  overdue: string | undefined,
): ConditionState {
  const expected = until === undefined ? message : `${message}, until ${timeOf(until)} at the latest`;
  return state(type, status, { reason, message: overdue === undefined ? expected : `${message}; ${overdue}` });
}

function withMembers(input: StatusInput, now: Date): readonly Milestone[] {
  const { milestones, memory } = input.plan;
  const isNext = milestones.every(({ type, status }) => status || !BEFORE_MEMBERS.includes(type));
  const waited = isNext && !memory.rotation?.retiring ? waitedMembers(input, now) : [];
  return milestones.map((one) =>
    one.type === 'Retired' && ![UNSEEN_PROXIES, OLD_CHAINS].includes(one.reason) && waited.length > 0
      ? { ...one, reason: 'Members', message: `the old anchor stays in the bundle because of ${waited.join(', ')}` }
      : one,
  );
}

const BEFORE_MEMBERS = ['LeavesTurned', 'Adopted'];

function ready({ phase, memory, outage, laggards }: AnchorPlan): ConditionState {
  const { issuer, rotation } = memory;
  if (outage !== undefined) return state('Ready', false, outage);
  if (issuer === undefined) {
    return state('Ready', false, { reason: phase, message: 'No signed identity issuer was found yet.' });
  }
  if (rotation === undefined) {
    return state('Ready', true, {
      reason: 'Stable',
      message: `The mesh uses one anchor.${unknowing(laggards.pods)}`,
    });
  }
  return state('Ready', true, { reason: phase, message: 'The mesh works while its anchor is rotated.' });
}

function unknowing(pods: number): string {
  if (pods === 0) return '';
  return ` Pods that may not trust it: ${pods}. Restart the workloads in status.laggards, whose proxies may be unable to talk to others.`;
}

function progressing(plan: AnchorPlan, paused: boolean, laggards: LaggardPlan | undefined): ConditionState {
  const { rotation } = plan.memory;
  if (rotation === undefined) {
    return state('Progressing', false, {
      reason: paused ? 'Paused' : 'Stable',
      message: 'No rotation is in progress.',
    });
  }
  if (paused) {
    return state('Progressing', false, { reason: 'Paused', message: 'A rotation waits until spec.paused is false.' });
  }
  const open = plan.milestones.find(({ status }) => !status);
  const restarts = laggards === undefined ? [] : [laggards.verdict.progressing.message];
  const message = [open === undefined ? '' : `${open.type}: ${open.message}.`, ...restarts].join(' ').trim();
  return state('Progressing', true, { reason: plan.phase, message: message === '' ? rotation.why : message });
}

function state(type: string, status: boolean, { reason, message }: AnchorProblem): ConditionState {
  return { type, status: status ? 'True' : 'False', reason, message };
}
