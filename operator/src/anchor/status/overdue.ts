import { hasMoved } from '#anchor/certify';
import type { Time } from '#anchor/chain';
import type { AnchorPolicy } from '#anchor/observed';
import { type Milestone, ROTATION_MILESTONES } from '#anchor/plan';
import { UNSEEN_PROXIES } from '#anchor/rotation/adopted';
import { UNPROVEN } from '#anchor/rotation/retired';
import { NO_WAY_BACK } from '#anchor/rotation/returned';
import { takenUpBy } from '#anchor/times';
import { anchorName, IDENTITY_ISSUER, MEMBER_LABEL, TRUST_ROOTS } from '#anchor/trust-anchor';
import { planTime, worstPlan } from '#anchor/worst-plan';
import { kubeTime } from '#controller-runtime/objects/kube-time';
import type { StatusInput } from './status-input';

/** Something that a rotation waits for. */
export interface Wait {
  /** Type of the waiting milestone. */
  readonly type: string;
  /** The component that it waits for. */
  readonly who: string;
  /** Since when, and by when it was expected. */
  readonly since: Time;
  readonly expected: Time;
  /** An imperative, or a command. */
  readonly fix: string;
}

/** Factor by which a wait may exceed its expected time. */
const PATIENCE = 2;

const ORDERED: ReadonlySet<string> = new Set(ROTATION_MILESTONES);

/** Returns what a rotation waits for, if a component in the cluster should have acted by some time. */
export function waitOf(input: StatusInput, now: Date): Wait | undefined {
  const { plan, observation } = input;
  const { rotation } = plan.memory;
  if (rotation === undefined || rotation.aborting || observation.trust.policy.paused) return undefined;
  if (plan.milestones.some(({ reason }) => reason === NO_WAY_BACK)) return undefined;
  const ordered = plan.milestones.filter(({ type, reason }) => ORDERED.has(type) && reason !== 'LongWay');
  const index = ordered.findIndex(({ status }) => !status);
  const open = ordered[index];
  const awaited = open && awaitedBy(open, input, now);
  if (open === undefined || awaited === undefined) return undefined;
  const passed = ordered.slice(0, index).map(({ type }) => passedAt(type, input));
  const since = Math.max(rotation.began, awaited.from ?? 0, ...passed);
  const { who, fix } = awaited;
  return { type: open.type, who, fix, since, expected: since + awaited.time };
}

/** Returns when a milestone was reached, from the status; 0 if it is new. */
function passedAt(type: string, { anchor }: StatusInput): Time {
  const condition = anchor.status?.conditions?.find((one) => one.type === type && one.status === 'True');
  return Date.parse(condition?.lastTransitionTime ?? '') || 0;
}

interface Awaited {
  readonly who: string;
  readonly time: number;
  readonly fix: string;
  readonly from?: Time;
}

function awaitedBy({ type, reason }: Milestone, input: StatusInput, now: Date): Awaited | undefined {
  const { plan, observation, anchor } = input;
  if (reason === UNSEEN_PROXIES || UNPROVEN.includes(reason)) return undefined;
  if (type === 'Bridged' && plan.awaitedSignature !== undefined) return undefined;
  const { policy } = observation.trust;
  const { controlPlaneNamespace: linkerd, certManagerNamespace: namespace } = anchor.spec;
  const { rotation, issuer } = plan.memory;
  const certManager = (name: string, at: string): Awaited => ({
    who: 'cert-manager',
    time: policy.patience,
    fix: `kubectl describe certificate ${name} -n ${at}; kubectl logs -n ${namespace} deploy/cert-manager`,
  });
  const next = anchorName(rotation?.to ?? 0);
  switch (type) {
    case 'Minted':
    case 'Bridged':
      return certManager(next, namespace);
    case 'Announced':
      return {
        who: 'trust-manager',
        time: policy.patience + policy.lag,
        fix: `kubectl describe bundle ${TRUST_ROOTS}; kubectl logs -n ${namespace} deploy/trust-manager`,
      };
    case 'Signing':
      if (reason !== 'Signed') return isAwaitingPods(input) ? undefined : certManager(IDENTITY_ISSUER, linkerd);
      return identity(issuer?.seen ?? 0, policy, linkerd);
    case 'Retired':
      return rotation?.retiring ? { ...certManager(next, namespace), time: retireTime(policy) } : members(input, now);
    default:
      return undefined;
  }
}

/** Whether the new anchor waits for pods: without a bridge, it signs when all pods trust it. */
function isAwaitingPods({ plan: { milestones } }: StatusInput): boolean {
  const isLong = milestones.some(({ reason }) => reason === 'LongWay');
  return isLong && milestones.some(({ type, status }) => type === 'Adopted' && !status);
}

function identity(seen: Time, policy: AnchorPolicy, namespace: string): Awaited {
  const time = takenUpBy(seen, policy) - seen + policy.restartTime;
  return {
    who: 'linkerd-identity',
    time,
    from: seen,
    fix: `kubectl get pods -n ${namespace} -l linkerd.io/control-plane-component=identity; kubectl rollout restart deploy/linkerd-identity -n ${namespace}`,
  };
}

function retireTime(policy: AnchorPolicy): number {
  return planTime(worstPlan(policy, 0, 'bridge').filter(({ name }) => name === 'retire'));
}

function members(input: StatusInput, now: Date): Awaited | undefined {
  const waited = waitedMembers(input, now);
  if (waited.length === 0) return undefined;
  const { certManagerNamespace: namespace } = input.anchor.spec;
  return {
    who: waited.join(', '),
    time: planTime(worstPlan(input.observation.trust.policy, 0, 'bridge')),
    fix: `kubectl get configmaps -n ${namespace} -l ${MEMBER_LABEL}; kubectl describe trustanchor linkerd in these clusters`,
  };
}

/** Returns the members that delay the end of the old anchor, and why. */
export function waitedMembers({ plan, observation: { trust }, view }: StatusInput, now: Date): readonly string[] {
  const { from, key = '' } = plan.memory.rotation ?? {};
  return trust.policy.members.flatMap((name) => {
    const member = trust.members.find((one) => one.name === name);
    if (member === undefined && name === trust.policy.certifiedBy) return [];
    if (member === undefined) return [`member ${name} (it has reported nothing)`];
    const asOf = updatedText(view.configMaps.find(({ data }) => data?.cluster === name)?.data?.updated, now);
    if (from !== undefined && member.signing.includes(from))
      return [`member ${name} (the old anchor may still sign there${asOf})`];
    if (name !== trust.policy.certifiedBy && !member.adopted.includes(key)) {
      return [`member ${name} (not all of its pods trust the new anchor${asOf})`];
    }
    return hasMoved(member, trust, { from, key })
      ? []
      : [`member ${name} (its anchor is not certified by the new one yet${asOf})`];
  });
}

/** Returns when a member last reported, by its own clock; empty for an invalid time, or one in the future. */
function updatedText(updated: string | undefined, now: Date): string {
  const time = Date.parse(updated ?? '');
  return time <= now.getTime() ? `, as of ${kubeTime(new Date(time))}` : '';
}

/** Describes a wait that lasts much longer than it should; undefined while it may still last. */
export function overdueText(wait: Wait | undefined, now: Date): string | undefined {
  if (wait === undefined || now.getTime() < wait.since + PATIENCE * (wait.expected - wait.since)) return undefined;
  const { who, since, expected, fix } = wait;
  const [from, by] = [since, expected].map((time) => kubeTime(new Date(time)));
  return `waiting for ${who} since ${from}, expected by ${by}: ${fix}`;
}
