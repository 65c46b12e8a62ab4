import { type ApiError, mayPass } from './api-error';

/** The most times that a request is sent, the first time included. */
const MAX_ATTEMPTS = 5;

/** A server that asks for more patience than this gets the request again, or the caller the error, sooner. */
const MAX_RETRY_AFTER_SECONDS = 30;

/**
 * The share by which a wait is stretched at most, so that those who were refused together do not come back together.
 */
const JITTER = 0.25;

/**
 * Returns the milliseconds to wait before a refused request is sent again; undefined when it is not. Only 429 and 5xx
 * with a `Retry-After` are: with these the API server says that it did not begin.
 * @param attempts the number of times that it was sent
 * @param random at least 0, less than 1
 */
export function retryDelayMs(error: ApiError, attempts: number, random: number): number | undefined {
  const askedMs = askedWaitMs(error);
  if (!mayPass(error) || askedMs === undefined || attempts >= MAX_ATTEMPTS) return undefined;
  return askedMs * (1 + JITTER * random);
}

/** Returns the milliseconds that the server asks to wait, but no more than 30,000; undefined if it does not ask. */
export function askedWaitMs({ retryAfterSeconds }: ApiError): number | undefined {
  return retryAfterSeconds === undefined ? undefined : Math.min(retryAfterSeconds, MAX_RETRY_AFTER_SECONDS) * 1000;
}
