import { oneLine, readCertificates } from '../../pki/certificates';
import type { PropagationReport } from '../../propagation/plan/propagation-plan';
import type { Acceptance } from '../objects/acceptance';
import type { LinkerdConfig, LinkerdConfigStatus, TrustAnchor } from '../objects/linkerd-config';
import type { ConfigInForce, ConfigProblem } from '../plan/plan-result';
import { proxyVersionOf, trustAnchorsOf } from '../values/effective-values';
import { conditionsOf, type Finding } from './conditions';

/** The outcome of a reconcile of a LinkerdConfig. */
export type Outcome =
  | { readonly is: 'refused'; readonly acceptance: Extract<Acceptance, { accepted: false }> }
  | {
      readonly is: 'failed';
      readonly problem: ConfigProblem;
      /** False where the LinkerdConfig itself is what is wrong. @default true */
      readonly isAccepted?: boolean | undefined;
    }
  | {
      readonly is: 'in-force';
      readonly inForce: ConfigInForce;
      readonly report: PropagationReport;
      /** The rejected write that stands in the way. Absent where none is known. */
      readonly refusal?: ConfigProblem;
    };

/** Returns the status that tells of an outcome. */
export function statusOf(config: LinkerdConfig, outcome: Outcome, now: Date): LinkerdConfigStatus {
  const { generation } = config.metadata;
  return {
    ...factsOf(config.status, outcome),
    observedGeneration: generation,
    conditions: conditionsOf(findings(outcome), config.status?.conditions ?? [], { now, generation }),
  };
}

/** Keeps what was known before while something is wrong. A LinkerdConfig that is not accepted has nothing in force. */
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

function findings(outcome: Outcome): readonly Finding[] {
  switch (outcome.is) {
    case 'refused': {
      const { reason, message } = outcome.acceptance;
      return [
        finding('Accepted', false, { reason, message }),
        finding('Ready', false, { reason, message }),
        finding('Progressing', false, { reason, message }),
        finding('Degraded', false, { reason, message }),
      ];
    }
    case 'failed':
      return [
        outcome.isAccepted === false ? finding('Accepted', false, outcome.problem) : ACCEPTED,
        finding('Ready', false, outcome.problem),
        finding('Progressing', false, outcome.problem),
        finding('Degraded', true, outcome.problem),
      ];
    case 'in-force':
      return [ACCEPTED, ...propagationFindings(outcome.report, outcome.refusal)];
  }
}

function propagationFindings(
  { progressing, degraded: stuck }: PropagationReport,
  refusal: ConfigProblem | undefined,
): readonly Finding[] {
  const degraded = refusal ?? stuck;
  const progress = { reason: progressing.reason, message: progressing.message };
  const isReady = degraded === undefined && !progressing.status;
  return [
    finding('Ready', isReady, isReady ? READY : (degraded ?? progress)),
    finding('Progressing', progressing.status, progress),
    finding('Degraded', degraded !== undefined, degraded ?? WELL),
  ];
}

const ACCEPTED = finding('Accepted', true, {
  reason: 'Active',
  message: 'This LinkerdConfig decides about its control plane.',
});
const READY: ConfigProblem = {
  reason: 'InForce',
  message: 'The configuration is in force, and what follows it runs with it.',
};
const WELL: ConfigProblem = { reason: 'AsExpected', message: 'Nothing is wrong.' };

function finding(type: string, status: boolean, { reason, message }: ConfigProblem): Finding {
  return { type, status: status ? 'True' : 'False', reason, message };
}
