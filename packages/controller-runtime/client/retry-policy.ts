import { type ApiError, mayPass } from './api-error';

/** Includes the first attempt. */
const MAX_ATTEMPTS = 5;

/** Maximum delay before a retry, even if the server asks for more. */
const MAX_RETRY_AFTER_SECONDS = 30;

/** Maximum share by which a delay is extended, so that clients that were refused together do not return together. */
const JITTER = 0.25;

/**
 * Returns the milliseconds to wait before a refused request is repeated; undefined if it is not. Only 429 and 5xx with
 * a `Retry-After` are: with these the API server reports that it did not start the request.
 * @param attempts the number of times that it was sent
 * @param random at least 0, less than 1
 */
export function retryDelayMs(error: ApiError, attempts: number, random: number): number | undefined {
  const askedMs = askedWaitMs(error);
  if (!mayPass(error) || askedMs === undefined || attempts >= MAX_ATTEMPTS) return undefined;
  return askedMs * (1 + JITTER * random);
}

/** Returns the milliseconds that the server asks to wait, at most 30,000; undefined if it does not ask. */
export function askedWaitMs({ retryAfterSeconds }: ApiError): number | undefined {
  return retryAfterSeconds === undefined ? undefined : Math.min(retryAfterSeconds, MAX_RETRY_AFTER_SECONDS) * 1000;
}
