import type { Condition } from '../../../api/linkerd-config';
import { kubeTime } from '../../runtime/objects/kube-time';

/** A condition without its times, which follow from what it was before. */
export type Finding = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

/** Kubernetes takes no longer messages (metav1.Condition). */
const MAX_MESSAGE = 32_768;

/** Findings as conditions: the time of a transition stays as long as the condition's status does. */
export function conditionsOf(
  findings: readonly Finding[],
  before: readonly Condition[],
  { now, generation }: { readonly now: Date; readonly generation: number | undefined },
): readonly Condition[] {
  return findings.map((finding) => {
    const last = before.find(({ type }) => type === finding.type);
    const lastTransitionTime = last?.status === finding.status ? last.lastTransitionTime : kubeTime(now);
    const message = finding.message.slice(0, MAX_MESSAGE);
    return { ...finding, message, observedGeneration: generation, lastTransitionTime };
  });
}
