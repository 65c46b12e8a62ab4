import type { Duration } from 'cdk8s';
import { Construct } from 'constructs';
import type { PodMonitor } from '../../imports/crds/monitoring.coreos.com';
import {
  controllerRelabelings,
  multiclusterRelabelings,
  proxyRelabelings,
  type Relabeling,
} from '../charts/relabelings';
import { checkGoDuration, goDuration } from '../kubernetes/go-duration';
import { checkDnsLabel, checkLabelKey, checkLabelValue } from '../kubernetes/names';
import type { Problem } from '../problems/problem';
import { featuresOf, type LinkerdVersion } from '../releases/versions';
import { addRule } from '../tree/add-rule';
import { manifest } from '../tree/manifest';
import { declareReferences } from '../tree/references';

type NamespaceSelector = NonNullable<PodMonitor['spec']['namespaceSelector']>;

/** Where the Prometheus operator finds the mesh's PodMonitors, and how often their targets are scraped. */
export interface PodMonitorOptions {
  /** Namespace of the PodMonitors: one that the Prometheus operator watches. It must exist in the cluster. */
  readonly namespace: string;

  /**
   * Labels by which the operator's Prometheus selects PodMonitors, such as `release: kube-prometheus-stack`.
   *
   * @default - none but `app: linkerd`
   */
  readonly labels?: Readonly<Record<string, string>>;

  /**
   * How often metrics are scraped. Dashboards of Linkerd are made for 10 s, which costs Prometheus three times the
   * memory of its own default.
   *
   * @default - Prometheus' own: 30 seconds
   */
  readonly interval?: Duration;

  /**
   * Namespace of the Viz extension, whose components are scraped along with the control plane's.
   *
   * @default 'linkerd-viz'
   */
  readonly vizNamespace?: string;
}

/** Whose metrics are scraped. */
export interface PodMonitorsProps extends PodMonitorOptions {
  readonly version: LinkerdVersion;
  readonly controlPlaneNamespace: string;
}

/**
 * PodMonitors for the control plane and Viz, the service mirrors of multi-cluster, and all proxies, with the labels that
 * Linkerd's Grafana dashboards expect.
 *
 * The dashboards themselves are not emitted: they are published by ID on grafana.com and in the linkerd2 repository
 * (grafana/dashboards), to be provisioned with Grafana.
 */
export class PodMonitors extends Construct {
  constructor(scope: Construct, id: string, props: PodMonitorsProps) {
    super(scope, id);
    const { controlPlaneNamespace, namespace, vizNamespace = 'linkerd-viz' } = props;
    const { adminPorts } = featuresOf(props.version);
    const everywhere = { any: true };
    const ofMesh = { matchNames: [vizNamespace, controlPlaneNamespace] };
    const intervalProblems = checkInterval(props.interval);
    const interval =
      props.interval === undefined || intervalProblems.length > 0 ? {} : { interval: goDuration(props.interval) };
    const monitor = (name: string, namespaceSelector: NamespaceSelector, relabelings: Relabeling[]) =>
      manifest(this, name, {
        apiVersion: 'monitoring.coreos.com/v1',
        kind: 'PodMonitor',
        metadata: { name, namespace, labels: { app: 'linkerd', ...props.labels } },
        spec: {
          namespaceSelector,
          selector: { matchLabels: {} },
          podMetricsEndpoints: [{ ...interval, relabelings }],
        },
      } satisfies PodMonitor);

    monitor('linkerd-controller', ofMesh, controllerRelabelings(adminPorts));
    monitor('linkerd-service-mirror', everywhere, multiclusterRelabelings(adminPorts));
    monitor('linkerd-proxy', everywhere, proxyRelabelings(controlPlaneNamespace));
    declareReferences(this, { external: [{ kind: 'Namespace', name: namespace }] });

    addRule(this, () => [
      ...checkDnsLabel('podMonitors.namespace', namespace),
      ...checkDnsLabel('podMonitors.vizNamespace', vizNamespace),
      ...Object.entries(props.labels ?? {}).flatMap(([key, value]) => [
        ...checkLabelKey('podMonitors.labels', key),
        ...checkLabelValue(`podMonitors.labels["${key}"]`, value),
      ]),
      ...intervalProblems,
    ]);
  }
}

function checkInterval(interval: Duration | undefined): readonly Problem[] {
  if (interval === undefined) return [];
  const problems = checkGoDuration('podMonitors.interval', interval);
  if (problems.length > 0 || interval.toMilliseconds({ integral: false }) > 0) return problems;
  return [
    {
      code: 'scrape-interval-zero',
      what: 'podMonitors.interval is 0',
      why: 'The Prometheus operator takes it for no interval at all',
      fix: 'leave the interval out, or make it some seconds',
    },
  ];
}
