import { oneLine, readCertificates } from '#base/certificates';
import type { Condition } from '#base/conditions';
import { kubeTime } from '#controller-runtime/objects/kube-time';
import type { PropagationReport } from '../../propagation/plan/propagation-plan';
import type { Acceptance } from '../objects/acceptance';
import type { LinkerdConfig, LinkerdConfigStatus, TrustAnchor } from '../objects/linkerd-config';
import type { ConfigInForce, ConfigProblem } from '../plan/plan-result';
import { proxyVersionOf, trustAnchorsOf } from '../values/effective-values';

/** The outcome of a reconcile of a LinkerdConfig. */
export type Outcome =
  | { readonly is: 'refused'; readonly acceptance: Extract<Acceptance, { accepted: false }> }
  | {
      readonly is: 'failed';
      readonly problem: ConfigProblem;
      /** False if the LinkerdConfig itself is invalid. @default true */
      readonly isAccepted?: boolean | undefined;
    }
  | {
      readonly is: 'in-force';
      readonly inForce: ConfigInForce;
      readonly report: PropagationReport;
      /** The rejected write that blocks it. Absent if none is known. */
      readonly refusal?: ConfigProblem;
    };

/** Returns the status that reports an outcome. */
export function statusOf(config: LinkerdConfig, outcome: Outcome, now: Date): LinkerdConfigStatus {
  const { generation } = config.metadata;
  return {
    ...factsOf(config.status, outcome),
    observedGeneration: generation,
    conditions: conditionsOf(conditionStates(outcome), config.status?.conditions ?? [], { now, generation }),
  };
}

/** Keeps earlier facts during a problem. A LinkerdConfig that is not accepted has no configuration in force. */
function factsOf(before: LinkerdConfigStatus | undefined, outcome: Outcome): LinkerdConfigStatus {
  switch (outcome.is) {
    case 'refused':
      return {};
    case 'failed':
      return before ?? {};
    case 'in-force':
      return {
        configHash: outcome.inForce.configHash,
        valuesHash: outcome.inForce.valuesHash,
        proxyVersion: proxyVersionOf(outcome.inForce.values),
        trustAnchors: trustAnchors(trustAnchorsOf(outcome.inForce.values) ?? ''),
        ...outcome.report.status,
      };
  }
}

function trustAnchors(pem: string): readonly TrustAnchor[] {
  return readCertificates(pem).map(({ subject, fingerprint256, validToDate }) => ({
    subject: oneLine(subject),
    sha256: fingerprint256.replaceAll(':', '').toLowerCase(),
    notAfter: validToDate.toISOString(),
  }));
}

function conditionStates(outcome: Outcome): readonly ConditionState[] {
  switch (outcome.is) {
    case 'refused': {
      const { reason, message } = outcome.acceptance;
      return [
        conditionState('Accepted', false, { reason, message }),
        conditionState('Ready', false, { reason, message }),
        conditionState('Progressing', false, { reason, message }),
        conditionState('Degraded', false, { reason, message }),
      ];
    }
    case 'failed':
      return [
        outcome.isAccepted === false ? conditionState('Accepted', false, outcome.problem) : ACCEPTED,
        conditionState('Ready', false, outcome.problem),
        conditionState('Progressing', false, outcome.problem),
        conditionState('Degraded', true, outcome.problem),
      ];
    case 'in-force':
      return [ACCEPTED, ...propagationStates(outcome.report, outcome.refusal)];
  }
}

function propagationStates(
  { progressing, degraded: stuck }: PropagationReport,
  refusal: ConfigProblem | undefined,
): readonly ConditionState[] {
  const degraded = refusal ?? stuck;
  const progress = { reason: progressing.reason, message: progressing.message };
  const isReady = degraded === undefined && !progressing.status;
  return [
    conditionState('Ready', isReady, isReady ? READY : (degraded ?? progress)),
    conditionState('Progressing', progressing.status, progress),
    conditionState('Degraded', degraded !== undefined, degraded ?? WELL),
  ];
}

const ACCEPTED = conditionState('Accepted', true, {
  reason: 'Active',
  message: 'This LinkerdConfig configures its control plane.',
});
const READY: ConfigProblem = {
  reason: 'InForce',
  message: 'The configuration is applied, and all workloads that follow it use it.',
};
const WELL: ConfigProblem = { reason: 'AsExpected', message: 'Nothing is wrong.' };

function conditionState(type: string, status: boolean, { reason, message }: ConfigProblem): ConditionState {
  return { type, status: status ? 'True' : 'False', reason, message };
}

/** The state of a condition without its times, which depend on its earlier state. */
export type ConditionState = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

/** Kubernetes' maximum length of messages (metav1.Condition). */
const MAX_MESSAGE = 32_768;

/** Builds conditions from their states. A condition with an unchanged status keeps its transition time. */
export function conditionsOf(
  states: readonly ConditionState[],
  before: readonly Condition[],
  { now, generation }: { readonly now: Date; readonly generation: number | undefined },
): readonly Condition[] {
  return states.map((state) => {
    const last = before.find(({ type }) => type === state.type);
    const lastTransitionTime = last?.status === state.status ? last.lastTransitionTime : kubeTime(now);
    const message = state.message.slice(0, MAX_MESSAGE);
    return { ...state, message, observedGeneration: generation, lastTransitionTime };
  });
}
