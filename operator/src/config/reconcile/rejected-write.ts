import { conditionOf } from '#base/conditions';
import type { ApiError } from '#controller-runtime/client/api-error';
import type { LinkerdConfig } from '../objects/linkerd-config';
import type { ConfigProblem } from '../plan/plan-result';

const REFUSED = 'Refused';

/** Returns the problem of a write that the API server rejected. */
export function rejectedWrite({ message }: ApiError): ConfigProblem {
  return { reason: REFUSED, message };
}

/** Returns the refusal in a LinkerdConfig's status, if it concerns its current spec. */
export function reportedRejection({ metadata, status }: LinkerdConfig): ConfigProblem | undefined {
  const degraded = conditionOf(status, 'Degraded');
  if (degraded?.status !== 'True' || degraded.reason !== REFUSED) return undefined;
  if (degraded.observedGeneration !== metadata.generation) return undefined;
  return { reason: REFUSED, message: degraded.message };
}

/**
 * Whether two refusals are the same answer to the same request, even if their messages differ in a time, or an id of
 * the request.
 */
export function isSameRejection(a: ConfigProblem, b: ConfigProblem): boolean {
  return requestAndAnswer(a) === requestAndAnswer(b);
}

/** Returns `PATCH /api/v1/…: 403`, the start of ApiError messages. */
function requestAndAnswer({ message }: ConfigProblem): string {
  return message.split(': ', 2).join(': ');
}
