import { Duration } from 'cdk8s';
import { Construct } from 'constructs';
import type { Problem } from '#base/findings/problem';
import { checkDnsLabel, checkDnsSubdomain } from '#kubernetes/names';
import { checkGoDuration, type DurationLike, goDuration } from '#kubernetes/options/duration-like';
import { DURATION, keysOf, NUMBER } from '#kubernetes/options/known-keys';
import { checkHttpUrl } from '#kubernetes/urls';
import { addRule } from '#lib/gitops/tree/add-rule';
import { setHomeNamespace } from '#lib/gitops/tree/home-namespace';
import { manifest } from '#lib/gitops/tree/manifest';
import { propsOf } from '#lib/gitops/tree/prop-of-shape';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import { type Prometheus, SERVICE_ACCOUNT, type ServiceAccountRef } from '../../viz/prometheus';
import { VIZ, type Viz } from '../../viz/viz';
import { MESHING_FINDINGS } from '../findings';

/** The Prometheus that scrapes the proxies: that of Viz, or an external one. */
export type MetricsSource =
  | {
      /**
       * The Viz whose Prometheus is queried. Viz's own Prometheus is configured to allow Argo Rollouts, which must be
       * meshed.
       */
      readonly viz: Viz<LinkerdVersion>;
      readonly prometheusUrl?: undefined;

      /**
       * ServiceAccount of Argo Rollouts' controller.
       *
       * @default { namespace: 'argo-rollouts', name: 'argo-rollouts' }
       */
      readonly rollouts?: ServiceAccountRef | undefined;
    }
  | {
      /**
       * URL of a Prometheus that scrapes the proxies, including pod labels (as the PodMonitors of this library do), and
       * allows Argo Rollouts to query it.
       */
      readonly prometheusUrl: string;
      readonly viz?: undefined;
      readonly rollouts?: undefined;
    };

/** Props of SuccessRate. */
export type SuccessRateProps = SuccessRateOptions & MetricsSource;

/** The success rate that a new version must reach. */
export interface SuccessRateOptions {
  /** Namespace of the Rollouts that use the template. */
  readonly namespace: string;

  /**
   * Name of the AnalysisTemplate.
   *
   * @default 'linkerd-success-rate'
   */
  readonly name?: string;

  /**
   * The share of all responses that must be successful (no 5xx, no gRPC error): more than 0, at most 1.
   *
   * @default 0.95
   */
  readonly successRate?: number;

  /**
   * Period of a measurement, and time between measurements. At least two scrapes.
   *
   * @default Duration.minutes(1)
   */
  readonly interval?: DurationLike;

  /**
   * Number of measurements: a whole number from 1.
   *
   * @default 3
   */
  readonly measurements?: number;

  /**
   * Maximum number of measurements that may miss the rate before the rollout is aborted: a whole number, less than
   * `measurements`.
   *
   * @default 0
   */
  readonly failureLimit?: number;

  /**
   * The result of a measurement without a request to the new version. Inconclusive measurements pause the rollout until
   * a user decides; `success` accepts a version without any traffic.
   *
   * @default 'inconclusive'
   */
  readonly withoutRequests?: 'inconclusive' | 'success';
}

/** The account of Argo Rollouts' controller in its own manifests and chart. */
const ARGO_ROLLOUTS: ServiceAccountRef = { namespace: 'argo-rollouts', name: 'argo-rollouts' };

/** The label for a pod's `rollouts-pod-template-hash` in Prometheus. */
const HASH_LABEL = 'rollouts_pod_template_hash';

const PROPS = keysOf<SuccessRateProps>({
  namespace: true,
  name: true,
  successRate: NUMBER,
  interval: DURATION,
  measurements: NUMBER,
  failureLimit: NUMBER,
  withoutRequests: true,
  viz: VIZ,
  prometheusUrl: true,
  rollouts: SERVICE_ACCOUNT,
});

/**
 * The AnalysisTemplate with which Argo Rollouts decides about the next step of a rollout: the success rate that
 * Linkerd's proxies measure at the pods of the new version. The first measurement comes after one interval, so that
 * there are requests to measure; a measurement without any is inconclusive and pauses the rollout. Viz's own Prometheus
 * answers only allowed meshed clients: add Argo Rollouts to the mesh (`meshing.namespace('argo-rollouts')`).
 *
 * @example
 * const successRate = new SuccessRate(home, 'success-rate', { namespace: 'shop', viz });
 * const steps = [{ setWeight: 20 }, { pause: { duration: '5m' } }, { analysis: successRate.analysis }];
 */
export class SuccessRate extends Construct {
  /** Name of the AnalysisTemplate. */
  readonly templateName: string;

  /** The part of a Rollout for `analysis` of its canary strategy, or of one of its steps. */
  readonly analysis: {
    readonly templates: readonly { readonly templateName: string }[];
    readonly args: readonly object[];
  };

  constructor(scope: Construct, id: string, props: SuccessRateProps) {
    super(scope, id);
    const given = propsOf<SuccessRateProps>(this, PROPS, props);
    const { namespace, name = 'linkerd-success-rate', successRate = 0.95, measurements = 3, failureLimit = 0 } = given;
    const interval = given.interval ?? Duration.minutes(1);
    this.templateName = name;
    this.analysis = {
      templates: [{ templateName: name }],
      args: [{ name: 'pod-template-hash', valueFrom: { podTemplateHashValue: 'Latest' } }],
    };
    setHomeNamespace(this, namespace);
    given.viz?.addReader(given.rollouts ?? ARGO_ROLLOUTS);
    const address = given.viz?.prometheusUrl ?? given.prometheusUrl ?? '';
    const period = checkGoDuration('interval', interval).length > 0 ? '' : goDuration(interval);
    manifest(this, 'template', {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AnalysisTemplate',
      metadata: { name, namespace },
      spec: {
        args: [{ name: 'pod-template-hash' }],
        metrics: [
          {
            name: 'success-rate',
            initialDelay: period,
            interval: period,
            count: measurements,
            failureLimit,
            ...conditions(successRate, given.withoutRequests),
            provider: { prometheus: { address, query: successRateQuery(namespace, period) } },
          },
        ],
      },
    });
    addRule(this, () => [
      ...checkDnsLabel('namespace', namespace),
      ...checkDnsSubdomain('name', name),
      ...checkHttpUrl('prometheusUrl', address),
      ...(given.viz === undefined ? [] : checkCredentials(given.viz.prometheus)),
      ...checkGoDuration('interval', interval),
      ...checkRate(successRate),
      ...checkCounts(measurements, failureLimit),
    ]);
  }
}

/** Without requests, Prometheus returns no sample, or NaN. */
function conditions(successRate: number, withoutRequests: SuccessRateOptions['withoutRequests'] = 'inconclusive') {
  if (withoutRequests === 'success') {
    return { successCondition: `len(result) == 0 || isNaN(result[0]) || result[0] >= ${successRate}` };
  }
  // A measurement that meets neither condition is inconclusive.
  const isMeasured = 'len(result) > 0 && !isNaN(result[0])';
  return {
    successCondition: `${isMeasured} && result[0] >= ${successRate}`,
    failureCondition: `${isMeasured} && result[0] < ${successRate}`,
  };
}

function successRateQuery(namespace: string, period: string): string {
  const labels = `direction="inbound",namespace="${namespace}",${HASH_LABEL}="{{args.pod-template-hash}}"`;
  const rate = (more: string) => `sum(rate(response_total{${more}${labels}}[${period}]))`;
  return `${rate('classification="success",')} / ${rate('')}`;
}

function checkCredentials(prometheus: Prometheus): readonly Problem[] {
  if (prometheus.kind !== 'url' || prometheus.credentialsSecret === undefined) return [];
  return [MESHING_FINDINGS.successRateRefusedCredentials({ secret: prometheus.credentialsSecret })];
}

function checkRate(successRate: number): readonly Problem[] {
  return successRate > 0 && successRate <= 1 ? [] : [MESHING_FINDINGS.successRateRefused({ rate: successRate })];
}

function checkCounts(measurements: number, failureLimit: number): readonly Problem[] {
  const areWhole = Number.isInteger(measurements) && Number.isInteger(failureLimit);
  if (areWhole && failureLimit >= 0 && failureLimit < measurements) return [];
  return [MESHING_FINDINGS.successRateRefusedMeasurements({ measurements, failureLimit })];
}
