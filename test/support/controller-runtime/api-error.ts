import { ApiError, type ApiFailure } from '#controller-runtime/client/api-error';

/** An answer of the API server with this HTTP status, and with no reason and no message where none is given. */
export function apiError(status: number, more: Partial<Omit<ApiFailure, 'status'>> = {}): ApiError {
  return new ApiError({ status, reason: '', message: '', ...more });
}
