import { Duration } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { Problem } from '#base/findings/problem';
import { MINUTE } from '#base/time-units';
import { type DurationLike, milliseconds } from '#kubernetes/options/duration-like';
import { DURATION, keysOf, NUMBER } from '#kubernetes/options/known-keys';
import { addRule } from '../../gitops/tree/add-rule';
import { propOfClass } from '../../gitops/tree/prop-of-shape';
import { MONITORING_FINDINGS } from './findings';

/** When alerts of MeshAlerts fire. */
export interface AlertThresholds {
  /**
   * 99th percentile of the time that a webhook of the mesh takes, as the API server and the operator measure it.
   *
   * @default Duration.seconds(1) - a tenth of the timeout of Linkerd's webhooks
   */
  readonly webhookLatency?: DurationLike;

  /**
   * Share of the operator's webhook answers that are errors.
   *
   * @default 0.05
   */
  readonly webhookErrors?: number;

  /**
   * Share of the requests for certificates that fail because of an error of linkerd-identity.
   *
   * @default 0.1
   */
  readonly identityErrors?: number;

  /**
   * Remaining lifetime of a proxy's certificate. Proxies renew it when 30 % of its lifetime are left.
   *
   * @default - 15 % of `issuanceLifetime` of the PKI: half of the time for renewals has passed
   */
  readonly certificateRemaining?: DurationLike;

  /**
   * How long proxies may be of another release than the proxies of the control plane.
   *
   * @default Duration.days(7)
   */
  readonly outdatedFor?: DurationLike;

  /**
   * Growth of the denials by a Server since `denialsBefore` ago, as a factor.
   *
   * @default 2
   */
  readonly denialsGrowth?: number;

  /**
   * How long ago the denials were with which the current ones are compared.
   *
   * @default Duration.hours(1)
   */
  readonly denialsBefore?: DurationLike;

  /**
   * Denials a second by a Server below which no alert on denials fires.
   *
   * @default 0.1 - six a minute
   */
  readonly denialsRate?: number;

  /**
   * Share of the requests and connections to a Server that are denied.
   *
   * @default 0.5
   */
  readonly denialsShare?: number;

  /**
   * Share of a controller's reconciles that fail.
   *
   * @default 0.1
   */
  readonly reconcileErrors?: number;
}

/** The keys of AlertThresholds. */
export const THRESHOLDS = keysOf<AlertThresholds>({
  webhookLatency: DURATION,
  webhookErrors: NUMBER,
  identityErrors: NUMBER,
  certificateRemaining: DURATION,
  outdatedFor: DURATION,
  denialsGrowth: NUMBER,
  denialsBefore: DURATION,
  denialsRate: NUMBER,
  denialsShare: NUMBER,
  reconcileErrors: NUMBER,
});

/** All thresholds, with times in milliseconds. */
export type KnownThresholds = { readonly [Key in keyof AlertThresholds]-?: number };

/**
 * Returns all thresholds, and reports invalid ones at the construct.
 *
 * @param issuanceLifetime of proxies' certificates
 */
export function thresholdsOf(scope: IConstruct, given: AlertThresholds, issuanceLifetime: Duration): KnownThresholds {
  const lifetime = milliseconds(issuanceLifetime);
  const duration = (field: keyof AlertThresholds, instead: Duration): number =>
    milliseconds(propOfClass(scope, 'Duration', { field: `thresholds.${field}`, value: given[field], instead }));
  const thresholds: KnownThresholds = {
    webhookLatency: duration('webhookLatency', Duration.seconds(1)),
    webhookErrors: given.webhookErrors ?? 0.05,
    identityErrors: given.identityErrors ?? 0.1,
    certificateRemaining: duration('certificateRemaining', Duration.millis(Math.floor(lifetime * 0.15))),
    outdatedFor: duration('outdatedFor', Duration.days(7)),
    denialsGrowth: given.denialsGrowth ?? 2,
    denialsBefore: duration('denialsBefore', Duration.hours(1)),
    denialsRate: given.denialsRate ?? 0.1,
    denialsShare: given.denialsShare ?? 0.5,
    reconcileErrors: given.reconcileErrors ?? 0.1,
  };
  addRule(scope, () => checkThresholds(thresholds, lifetime));
  return thresholds;
}

const SHARES = ['webhookErrors', 'identityErrors', 'denialsShare', 'reconcileErrors'] as const;

/** The largest finite bound of the API server's histogram of webhooks (k8s.io/apiserver, pkg/admission/metrics). */
const SLOWEST_WEBHOOK = 25_000;

/** Checks thresholds with which an alert would always fire, or never. */
export function checkThresholds(thresholds: KnownThresholds, issuanceLifetime: number): readonly Problem[] {
  const { webhookLatency, certificateRemaining, outdatedFor, denialsBefore, denialsGrowth, denialsRate } = thresholds;
  const times = [
    ['webhookLatency', webhookLatency, 1, SLOWEST_WEBHOOK],
    // From 30 % on, the alert would fire for each certificate before its renewal.
    ['certificateRemaining', certificateRemaining, 1_000, Math.floor(issuanceLifetime * 0.3)],
    ['outdatedFor', outdatedFor, MINUTE, Number.POSITIVE_INFINITY],
    // The compared rates cover five minutes.
    ['denialsBefore', denialsBefore, 300_000, Number.POSITIVE_INFINITY],
  ] as const;
  return [
    ...SHARES.filter((field) => !(thresholds[field] > 0 && thresholds[field] < 1)).map((field) =>
      MONITORING_FINDINGS.alertThresholdRefusedShare({ field, value: String(thresholds[field]) }),
    ),
    ...times
      .filter(([, value, least, most]) => !(value >= least && value <= most))
      .map(([field, value, least, most]) =>
        MONITORING_FINDINGS.alertThresholdRefusedTime({ field, seconds: value / 1_000, range: rangeText(least, most) }),
      ),
    ...(denialsGrowth > 1 && Number.isFinite(denialsGrowth)
      ? []
      : [MONITORING_FINDINGS.alertThresholdRefusedGrowth({ value: String(denialsGrowth) })]),
    ...(denialsRate > 0 && Number.isFinite(denialsRate)
      ? []
      : [MONITORING_FINDINGS.alertThresholdRefusedRate({ value: String(denialsRate) })]),
  ];
}

function rangeText(least: number, most: number): string {
  const from = `${least / 1_000} seconds`;
  return Number.isFinite(most) ? `${from} to ${most / 1_000} seconds` : `${from} or more`;
}
