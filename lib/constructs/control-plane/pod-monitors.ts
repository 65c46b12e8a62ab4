import { Construct } from 'constructs';
import type { PodMonitor } from '#imports/crds/monitoring.coreos.com';
import { checkMonitoring, type Monitoring, scrapeInterval } from '#kubernetes/monitoring';
import { checkDnsLabel } from '#kubernetes/names';
import type { Release } from '#linkerd/releases/release';
import {
  controllerRelabelings,
  multiclusterRelabelings,
  proxyRelabelings,
  type Relabeling,
} from '#linkerd/renderers/relabelings';
import { addRule } from '../../gitops/tree/add-rule';
import { manifest } from '../../gitops/tree/manifest';
import { declareReferences } from '../../gitops/tree/references';

type NamespaceSelector = NonNullable<PodMonitor['spec']['namespaceSelector']>;

/** Monitoring of a control plane, and of Viz. */
export interface ControlPlaneMonitoring extends Monitoring {
  /**
   * Namespace of the Viz extension, whose components are scraped together with the control plane's.
   *
   * @default 'linkerd-viz'
   */
  readonly vizNamespace?: string;
}

/** Props of PodMonitors. */
export interface PodMonitorsProps extends ControlPlaneMonitoring {
  readonly release: Release;
  readonly controlPlaneNamespace: string;
}

/**
 * PodMonitors for the control plane and Viz, the service mirrors of multi-cluster, and all proxies, with the labels
 * that Linkerd's Grafana dashboards expect.
 *
 * The dashboards themselves are not emitted: they are published by ID on grafana.com and in the linkerd2 repository
 * (grafana/dashboards). Provision them with Grafana.
 */
export class PodMonitors extends Construct {
  constructor(scope: Construct, id: string, props: PodMonitorsProps) {
    super(scope, id);
    const { controlPlaneNamespace, namespace, vizNamespace = 'linkerd-viz' } = props;
    const { adminPorts } = props.release.groups.controlPlane.templates;
    const everywhere = { any: true };
    const ofMesh = { matchNames: [vizNamespace, controlPlaneNamespace] };
    const monitor = (name: string, namespaceSelector: NamespaceSelector, relabelings: Relabeling[]) =>
      manifest(this, name, {
        apiVersion: 'monitoring.coreos.com/v1',
        kind: 'PodMonitor',
        metadata: { name, namespace, labels: { app: 'linkerd', ...props.labels } },
        spec: {
          namespaceSelector,
          selector: { matchLabels: {} },
          podMetricsEndpoints: [{ ...scrapeInterval(props), relabelings }],
        },
      } satisfies PodMonitor);

    monitor('linkerd-controller', ofMesh, controllerRelabelings(adminPorts));
    monitor('linkerd-service-mirror', everywhere, multiclusterRelabelings(adminPorts));
    monitor('linkerd-proxy', everywhere, proxyRelabelings(controlPlaneNamespace));
    declareReferences(this, { external: [{ kind: 'Namespace', name: namespace }] });

    addRule(this, () => [...checkMonitoring(props), ...checkDnsLabel('monitoring.vizNamespace', vizNamespace)]);
  }
}
