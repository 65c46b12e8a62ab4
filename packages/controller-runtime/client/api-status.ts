import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from './api-error';

/** `Status` of meta/v1: the API server's answer, or its event in a watch, after a failure. */
interface Status {
  readonly kind?: string;
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: { readonly retryAfterSeconds?: number };
}

/** Maximum number of characters shown of an answer that is not the API server's own. */
const MAX_FOREIGN_TEXT = 200;

/** Returns the error of an HTTP answer. `what` is the request: `GET /api/v1/pods`. */
export function apiErrorOfResponse(
  what: string,
  response: { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string },
): ApiError {
  const status = parseStatus(response.body);
  const text = status?.message || response.body.trim().slice(0, MAX_FOREIGN_TEXT) || 'no explanation';
  return new ApiError({
    status: response.status,
    reason: status?.reason ?? '',
    message: `${what}: ${response.status}: ${text}`,
    retryAfterSeconds: seconds(response.headers['retry-after']) ?? status?.details?.retryAfterSeconds,
  });
}

/** Returns the error in a watch's ERROR event. */
export function apiErrorOfStatus(what: string, object: unknown): ApiError {
  const status = (typeof object === 'object' && object !== null ? object : {}) as Status;
  return new ApiError({
    status: status.code ?? 500,
    reason: status.reason ?? '',
    message: `${what}: ${status.code ?? 'ERROR'}: ${status.message ?? 'no explanation'}`,
    retryAfterSeconds: status.details?.retryAfterSeconds,
  });
}

function parseStatus(body: string): Status | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && (value as Status).kind === 'Status' ? value : undefined;
  } catch {
    // A proxy's page, or the API server's plain `404 page not found`.
    return undefined;
  }
}

/** `Retry-After` may also be a date, which only proxies send, and which is ignored. */
function seconds(header: string | undefined): number | undefined {
  return header !== undefined && /^\d+$/.test(header) ? Number(header) : undefined;
}
