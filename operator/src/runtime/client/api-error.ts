/** A refusal by the API server: the fields of `Status` (meta/v1) that callers branch on. */
export interface ApiFailure {
  /** The HTTP status: 403, 409, … */
  readonly status: number;
  /** The machine-readable reason: `Conflict`, `AlreadyExists`, `Expired`, …; empty when the server gave none. */
  readonly reason: string;
  readonly message: string;
  /** The seconds that the server asks to wait before the next attempt. */
  readonly retryAfterSeconds?: number;
}

/** A request that the API server, or something before it, answered with an error. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly reason: string;
  readonly retryAfterSeconds?: number;

  constructor(failure: ApiFailure) {
    super(failure.message);
    this.status = failure.status;
    this.reason = failure.reason;
    this.retryAfterSeconds = failure.retryAfterSeconds;
  }
}

/** Tells whether an error is the API server's answer with this HTTP status and, where given, this reason. */
export function isApiError(error: unknown, status: number, reason?: string): error is ApiError {
  return error instanceof ApiError && error.status === status && (reason === undefined || error.reason === reason);
}

/**
 * Tells whether the same request may be answered later: no answer came, or the API server is overloaded, starting or
 * going down.
 */
export function mayPass(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 429 || error.status >= 500;
}

/** Bad request, forbidden, invalid: what permissions, policies and webhooks say, until somebody changes them. */
const REFUSALS = [400, 403, 422];

/** Tells whether the API server, or a policy or webhook there, refused a request for good. */
export function isRefusal(error: unknown): error is ApiError {
  return REFUSALS.some((status) => isApiError(error, status));
}
