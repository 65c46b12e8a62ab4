/** Options of {@link createTokenBucket}. */
export interface TokenBucketOptions {
  /** Tokens that are refilled per second. */
  readonly perSecond: number;
  /** Maximum number of tokens at once after an idle time. */
  readonly burst: number;
  /** Milliseconds of a monotonic clock. @default performance.now */
  readonly now?: () => number;
}

/** A rate limit. */
export interface TokenBucket {
  /** Takes a token, and returns the milliseconds until it is available; 0 if it already is. */
  reserve(): number;
  /** Takes a token if there is one. */
  tryTake(): boolean;
}

/** Creates a full bucket. */
export function createTokenBucket({
  perSecond,
  burst,
  now = () => performance.now(),
}: TokenBucketOptions): TokenBucket {
  let tokens = burst;
  let filledAt = now();
  const fill = (): void => {
    const time = now();
    tokens = Math.min(burst, tokens + ((time - filledAt) / 1000) * perSecond);
    filledAt = time;
  };
  return {
    reserve: () => {
      fill();
      tokens -= 1;
      return tokens >= 0 ? 0 : (-tokens / perSecond) * 1000;
    },
    tryTake: () => {
      fill();
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
  };
}
