import type { ApiError } from '../../runtime/client/api-error';
import type { LinkerdConfig } from '../objects/linkerd-config';
import type { ConfigProblem } from '../plan/plan-result';

const REFUSED = 'Refused';

/** Returns the problem of a write that the API server rejected. */
export function rejectedWrite({ message }: ApiError): ConfigProblem {
  return { reason: REFUSED, message };
}

/** The refusal that a LinkerdConfig tells of, if its status is about its present spec. */
export function toldRejection({ metadata, status }: LinkerdConfig): ConfigProblem | undefined {
  const degraded = status?.conditions?.find(({ type }) => type === 'Degraded');
  if (degraded?.status !== 'True' || degraded.reason !== REFUSED) return undefined;
  if (degraded.observedGeneration !== metadata.generation) return undefined;
  return { reason: REFUSED, message: degraded.message };
}

/**
 * Tells whether two refusals are the same answer to the same request, whatever else their messages say: one may hold
 * the time, or an id of the request.
 */
export function isSameRejection(a: ConfigProblem, b: ConfigProblem): boolean {
  return requestAndAnswer(a) === requestAndAnswer(b);
}

/** `PATCH /api/v1/…: 403`, with which the messages of ApiErrors begin. */
function requestAndAnswer({ message }: ConfigProblem): string {
  return message.split(': ', 2).join(': ');
}
