import type { Duration } from 'cdk8s';
import { Construct } from 'constructs';
import type { PodMonitor } from '../../imports/crds/monitoring.coreos.com';
import { checkGoDuration, goDuration } from '../kubernetes/go-duration';
import { checkDnsLabel, checkLabelKey, checkLabelValue } from '../kubernetes/names';
import { addRule } from '../tree/add-rule';
import { manifest } from '../tree/manifest';
import { declareReferences } from '../tree/references';
import { OPERATOR, OPERATOR_LABELS } from './operator-names';

/** Where the Prometheus operator finds the PodMonitor. */
export interface OperatorMonitorOptions {
  /** Namespace of the PodMonitor: one that the Prometheus operator watches. It must exist in the cluster. */
  readonly namespace: string;

  /**
   * Labels by which the operator's Prometheus selects PodMonitors, such as `release: kube-prometheus-stack`.
   *
   * @default - none
   */
  readonly labels?: Readonly<Record<string, string>>;

  /**
   * How often metrics are scraped.
   *
   * @default - Prometheus' own: 30 seconds
   */
  readonly interval?: Duration;
}

/** Has the operator's own metrics scraped, which have the names of controller-runtime. */
export class OperatorMonitor extends Construct {
  constructor(scope: Construct, id: string, props: OperatorMonitorOptions & { readonly operatorNamespace: string }) {
    super(scope, id);
    const { namespace, labels = {}, interval, operatorNamespace } = props;
    const intervalProblems = interval === undefined ? [] : checkGoDuration('podMonitor.interval', interval);
    const isWritable = interval !== undefined && intervalProblems.length === 0;
    manifest(this, 'resource', {
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'PodMonitor',
      metadata: { name: OPERATOR, namespace, labels: { ...OPERATOR_LABELS, ...labels } },
      spec: {
        namespaceSelector: { matchNames: [operatorNamespace] },
        selector: { matchLabels: OPERATOR_LABELS },
        podMetricsEndpoints: [{ port: 'metrics', ...(isWritable ? { interval: goDuration(interval) } : {}) }],
      },
    } satisfies PodMonitor);
    declareReferences(this, { external: [{ kind: 'Namespace', name: namespace }] });
    addRule(this, () => [
      ...checkDnsLabel('podMonitor.namespace', namespace),
      ...Object.entries(labels).flatMap(([key, value]) => [
        ...checkLabelKey('podMonitor.labels', key),
        ...checkLabelValue(`podMonitor.labels["${key}"]`, value),
      ]),
      ...intervalProblems,
    ]);
  }
}
