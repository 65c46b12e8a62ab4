/** Options of {@link createTokenBucket}. */
export interface TokenBucketOptions {
  /** Tokens that come back each second. */
  readonly perSecond: number;
  /** Tokens that may be taken at once after a quiet time. */
  readonly burst: number;
  /** Milliseconds of a clock that never goes back. @default performance.now */
  readonly now?: () => number;
}

/** A rate limit. */
export interface TokenBucket {
  /** Takes a token and tells how many milliseconds from now it is due: 0 while there are some. */
  reserve(): number;
  /** Takes a token if one is there. */
  tryTake(): boolean;
}

/** A bucket that is full at first. */
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
