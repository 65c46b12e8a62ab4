import { Construct } from 'constructs';
import { byText } from '#base/remembered';
import type { ConfigMap } from '#imports/kubernetes';
import { type Alerting, checkAlerting } from '#kubernetes/monitoring';
import { FREE, keysOf, required } from '#kubernetes/options/known-keys';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import { addRule } from '../../gitops/tree/add-rule';
import { manifest } from '../../gitops/tree/manifest';
import { propOfMap, propsOf } from '../../gitops/tree/prop-of-shape';
import { declareReferences } from '../../gitops/tree/references';
import { CONTROL_PLANE, type LinkerdControlPlane } from '../control-plane/linkerd-control-plane';
import { OPERATOR, type ReconcilerOperator } from '../operator/reconciler-operator';
import { certificatesDashboard } from './dashboards/certificates';
import { dashboardJson } from './dashboards/dashboard';
import { meshDashboard } from './dashboards/mesh';
import { operatorDashboard } from './dashboards/operator';

/** Props of MeshDashboards: what the dashboards show, and where Grafana finds them. */
export interface MeshDashboardsProps extends Omit<Alerting, 'runbooks' | 'labels'> {
  /** The control plane, whose metrics and those of its proxies the dashboards show. It needs `monitoring`. */
  readonly controlPlane: LinkerdControlPlane<LinkerdVersion>;

  /**
   * The operator. It needs `monitoring`.
   *
   * @default - no dashboard of the operator, and none of the rotation of the trust anchor
   */
  readonly operator?: ReconcilerOperator<LinkerdVersion> | undefined;

  /**
   * Labels by which Grafana's sidecar finds the ConfigMaps.
   *
   * @default { grafana_dashboard: '1' } - as kube-prometheus-stack expects
   */
  readonly labels?: Readonly<Record<string, string>>;
}

const PROPS = keysOf<MeshDashboardsProps>({
  controlPlane: required(CONTROL_PLANE),
  operator: OPERATOR,
  namespace: true,
  labels: FREE,
});

/**
 * Grafana dashboards of the mesh, of its certificates and of the operator, in ConfigMaps that the sidecar of Grafana
 * loads, as kube-prometheus-stack sets it up. They need Grafana 11 or later, and query the Prometheus data source that
 * the user chooses. `grafanaDashboardValues` loads Linkerd's own dashboards, which show the traffic of workloads.
 *
 * @example
 * new MeshDashboards(home, 'dashboards', { controlPlane, operator, namespace: 'monitoring' });
 */
export class MeshDashboards extends Construct {
  constructor(scope: Construct, id: string, props: MeshDashboardsProps) {
    super(scope, id);
    const given = propsOf<MeshDashboardsProps>(this, PROPS, props);
    const { controlPlane, operator, namespace } = given;
    const labels = propOfMap(this, 'labels', given.labels);
    const shown: Shown = {
      controlPlane: { namespace: controlPlane.namespace },
      operator: operator && { namespace: operator.namespace, rotatesAnchor: operator.rotatesAnchor },
    };
    for (const { name, json } of dashboardsOf(JSON.stringify(shown))) {
      manifest(this, name, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: `${name}-dashboard`, namespace, labels: { ...(labels ?? { grafana_dashboard: '1' }) } },
        data: { [`${name}.json`]: json },
      } satisfies ConfigMap);
    }
    declareReferences(this, { external: [{ kind: 'Namespace', name: namespace }] });
    addRule(this, () => checkAlerting({ namespace, labels }));
  }
}

interface Shown {
  readonly controlPlane: Pick<LinkerdControlPlane, 'namespace'>;
  readonly operator?: Pick<ReconcilerOperator, 'namespace' | 'rotatesAnchor'> | undefined;
}

/** Maximum length of all keys in the cache of dashboards together: about twenty keys. */
const MAX_KNOWN = 2 * 1024;

/** Cached by the JSON of `Shown`, because most clusters of a fleet have equal dashboards. */
const dashboardsOf = byText((shown) => {
  const { controlPlane, operator }: Shown = JSON.parse(shown);
  return [
    meshDashboard(controlPlane.namespace),
    certificatesDashboard(controlPlane.namespace, operator?.rotatesAnchor ?? false),
    ...(operator === undefined ? [] : [operatorDashboard(operator.namespace)]),
  ].map((dashboard) => ({ name: dashboard.uid.replace('cdk8s-', ''), json: dashboardJson(dashboard) }));
}, MAX_KNOWN);
