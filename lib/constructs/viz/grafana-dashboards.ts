import type { Values } from '#base/values';

/** Props of grafanaDashboardValues: how a Grafana loads Linkerd's dashboards. */
export interface GrafanaDashboardsProps {
  /**
   * Name of the data source of the Prometheus that scrapes the mesh.
   *
   * @default 'Prometheus' - that of kube-prometheus-stack
   */
  readonly datasource?: string;

  /**
   * Name of the folder and of the provider.
   *
   * @default 'linkerd'
   */
  readonly folder?: string;
}

/**
 * Linkerd's dashboards on grafana.com, as number and revision (https://grafana.com/grafana/dashboards/<number>), from
 * linkerd2's `grafana/values.yaml`.
 */
const DASHBOARDS: Readonly<Record<string, readonly [gnetId: number, revision: number]>> = {
  authority: [15482, 3],
  cronjob: [15483, 3],
  daemonset: [15484, 3],
  deployment: [15475, 6],
  health: [15486, 3],
  job: [15487, 3],
  kubernetes: [15479, 2],
  multicluster: [15488, 3],
  namespace: [15478, 3],
  pod: [15477, 3],
  prometheus: [15489, 2],
  'prometheus-benchmark': [15490, 2],
  replicaset: [15491, 3],
  replicationcontroller: [15492, 4],
  route: [15481, 3],
  service: [15480, 3],
  statefulset: [15493, 3],
  'top-line': [15474, 4],
};

/**
 * Returns values of the chart `grafana`, also used below `grafana` in kube-prometheus-stack, that make Grafana load
 * Linkerd's dashboards from grafana.com. The dashboards need the metrics that the control plane's `monitoring`
 * collects.
 */
export function grafanaDashboardValues({
  datasource = 'Prometheus',
  folder = 'linkerd',
}: GrafanaDashboardsProps = {}): Values {
  return {
    dashboardProviders: {
      [`${folder}.yaml`]: {
        apiVersion: 1,
        providers: [
          {
            name: folder,
            orgId: 1,
            folder,
            type: 'file',
            disableDeletion: true,
            editable: false,
            options: { path: `/var/lib/grafana/dashboards/${folder}` },
          },
        ],
      },
    },
    dashboards: {
      [folder]: Object.fromEntries(
        Object.entries(DASHBOARDS).map(([name, [gnetId, revision]]) => [name, { gnetId, revision, datasource }]),
      ),
    },
  };
}
