import { ApiError, type ApiFailure } from '#controller-runtime/client/api-error';

/** An error of the API server with this HTTP status. Its reason and message are empty by default. */
export function apiError(status: number, more: Partial<Omit<ApiFailure, 'status'>> = {}): ApiError {
  return new ApiError({ status, reason: '', message: '', ...more });
}
