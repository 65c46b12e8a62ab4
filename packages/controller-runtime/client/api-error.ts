/** A refusal by the API server: the fields of `Status` (meta/v1) that callers use. */
export interface ApiFailure {
  /** The HTTP status: 403, 409, … */
  readonly status: number;
  /** The machine-readable reason: `Conflict`, `AlreadyExists`, `Expired`, …; empty if the server gave none. */
  readonly reason: string;
  readonly message: string;
  /** The seconds that the server asks to wait before the next attempt. */
  readonly retryAfterSeconds?: number;
}

/** An error answer of the API server, or of a proxy before it. */
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

/** Whether an error is the API server's answer with this HTTP status and, if given, this reason. */
export function isApiError(error: unknown, status: number, reason?: string): error is ApiError {
  return error instanceof ApiError && error.status === status && (reason === undefined || error.reason === reason);
}

/**
 * Whether the same request may succeed later: no answer came, or the API server is overloaded, starting or stopping.
 */
export function mayPass(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 429 || error.status >= 500;
}

/** Bad request, forbidden, invalid: permanent until permissions, policies or webhooks change. */
const REFUSALS = [400, 403, 422];

/** Whether the API server, or one of its policies or webhooks, refused a request permanently. */
export function isRefusal(error: unknown): error is ApiError {
  return REFUSALS.some((status) => isApiError(error, status));
}
