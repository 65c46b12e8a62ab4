import { Duration } from 'cdk8s';
import type { Problem } from '#base/findings/problem';
import type { Application } from '#imports/crds/argoproj.io';
import {
  checkGoDuration,
  type DurationLike,
  goDuration,
  goDurationOf,
  milliseconds,
} from '#kubernetes/options/duration-like';
import { DURATION, keysOf, NUMBER, type Read } from '#kubernetes/options/known-keys';
import { ARGOCD_FINDINGS } from './findings';

/** How often, and when, a failed sync is retried. */
export interface RetryProps {
  /**
   * Maximum number of retries; -1 = unlimited.
   *
   * The Applications of a cluster start at once and wait for each other (for CRDs, for webhooks) by failing and
   * retrying. With the other defaults, ten retries take 17 minutes.
   *
   * @default 10
   */
  readonly limit?: number;

  /**
   * Delay before the first retry.
   *
   * @default Duration.seconds(5)
   */
  readonly duration?: DurationLike;

  /**
   * Factor by which the delay is multiplied after each failed retry. A whole number.
   *
   * @default 2
   */
  readonly factor?: number;

  /**
   * Maximum delay between two retries.
   *
   * @default Duration.minutes(3)
   */
  readonly maxDuration?: DurationLike;
}

/** The keys of RetryProps. */
export const RETRY_PROPS = keysOf<RetryProps>({
  limit: NUMBER,
  duration: DURATION,
  factor: NUMBER,
  maxDuration: DURATION,
});

type SyncPolicy = NonNullable<Application['spec']['syncPolicy']>;

/** Returns the retry part of an Application's sync policy. */
export function retryPolicy(props: RetryProps = {}): NonNullable<SyncPolicy['retry']> {
  const { limit, duration, factor, maxDuration } = withDefaults(props);
  return {
    limit,
    backoff: { duration: text(duration), factor, maxDuration: text(maxDuration) },
    // Without refresh, a fix that is pushed between two retries is not applied before the last retry has failed.
    refresh: true,
  };
}

/**
 * Reports retry settings that Argo CD would refuse, or that would make a sync fail forever or retry without a delay.
 */
export function checkRetry(props: RetryProps = {}): readonly Problem[] {
  const { limit, duration, factor, maxDuration } = withDefaults(props);
  const problems: Problem[] = [
    ...checkGoDuration('retry.duration', props.duration ?? duration),
    ...checkGoDuration('retry.maxDuration', props.maxDuration ?? maxDuration),
  ];
  if (!Number.isInteger(limit) || limit < -1 || limit === 0) {
    problems.push(
      ARGOCD_FINDINGS.retryRefused({
        field: 'limit',
        value: String(limit),
        expected: 'a whole number of 1 or more, or -1 for no limit',
      }),
    );
  }
  if (!Number.isInteger(factor) || factor < 1) {
    problems.push(
      ARGOCD_FINDINGS.retryRefused({
        field: 'factor',
        value: String(factor),
        expected: '2, or 1 for pauses of equal length',
      }),
    );
  }
  if (milliseconds(duration) <= 0) {
    problems.push(
      ARGOCD_FINDINGS.retryRefused({
        field: 'duration',
        value: duration.toHumanString(),
        expected: 'a few seconds or more',
      }),
    );
  }
  if (milliseconds(maxDuration) < milliseconds(duration)) {
    problems.push(
      ARGOCD_FINDINGS.retryRefused({
        field: 'maxDuration',
        value: maxDuration.toHumanString(),
        expected: `retry.duration (${duration.toHumanString()}) or more`,
      }),
    );
  }
  return problems;
}

/** Also replaces values that are not Durations, which checkRetry reports. */
function withDefaults(props: RetryProps): Required<Read<RetryProps>> {
  return {
    limit: props.limit ?? 10,
    duration: goDurationOf(props.duration) ?? Duration.seconds(5),
    factor: props.factor ?? 2,
    maxDuration: goDurationOf(props.maxDuration) ?? Duration.minutes(3),
  };
}

/** Returns the duration as text; undefined if Go cannot parse it, which checkRetry reports. */
function text(duration: Duration): string | undefined {
  return checkGoDuration('', duration).length === 0 ? goDuration(duration) : undefined;
}
