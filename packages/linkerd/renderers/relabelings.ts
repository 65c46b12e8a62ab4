import type { Values } from '#base/values';
import type { PodMonitor } from '#imports/crds/monitoring.coreos.com';
import type { AdminPorts } from '../releases/groups/control-plane';

type Endpoint = NonNullable<PodMonitor['spec']['podMetricsEndpoints']>[number];

/** A rule that rewrites the labels of a scrape target. */
export type Relabeling = NonNullable<Endpoint['relabelings']>[number];

const PORT_NAME = '__meta_kubernetes_pod_container_port_name';
const EXTENSION = '__meta_kubernetes_pod_label_linkerd_io_extension';

/** The port at which proxies serve metrics. */
export const PROXY_PORT = 'linkerd-admin';

/** The metrics ports that charts of current releases expect of multi-cluster. */
export const CHART_MIRROR_PORTS: AdminPorts = { keep: '.*-admin$', drop: PROXY_PORT };

/** Keeps the metrics ports of the control plane and Viz. */
export function controllerRelabelings({ keep, drop }: AdminPorts): Relabeling[] {
  return [
    { sourceLabels: [PORT_NAME], action: 'keep', regex: keep },
    ...dropPort(drop),
    containerAsComponent(),
    job('linkerd-controller'),
  ];
}

/**
 * Keeps the metrics ports of the multi-cluster extension: its service mirrors, under any name that a release uses.
 * Linkerd's guide and chart select a component of the control plane, which does not exist.
 */
export function multiclusterRelabelings({ keep, drop }: AdminPorts): Relabeling[] {
  return [
    { sourceLabels: [EXTENSION, PORT_NAME], action: 'keep', regex: `multicluster;${keep}` },
    ...dropPort(drop),
    containerAsComponent(),
    job('linkerd-service-mirror'),
  ];
}

/**
 * Keeps the targets that the charts expect of multi-cluster: pods with a component label of these names. No pod has
 * such a label.
 */
export function chartMirrorRelabelings(
  componentLabel: string,
  { keep, drop }: AdminPorts,
  components = '(linkerd-service-mirror|controller)',
): Relabeling[] {
  return [
    { sourceLabels: [componentLabel, PORT_NAME], action: 'keep', regex: `${components};${keep}` },
    ...dropPort(drop),
    containerAsComponent(),
  ];
}

/** Keeps the proxies of one control plane, and adds the labels of their workloads to their metrics. */
export function proxyRelabelings(controlPlaneNamespace: string): Relabeling[] {
  return [
    {
      sourceLabels: [
        '__meta_kubernetes_pod_container_name',
        PORT_NAME,
        '__meta_kubernetes_pod_label_linkerd_io_control_plane_ns',
      ],
      action: 'keep',
      regex: `^linkerd-proxy;${PROXY_PORT};${controlPlaneNamespace}$`,
    },
    { sourceLabels: ['__meta_kubernetes_namespace'], action: 'replace', targetLabel: 'namespace' },
    { sourceLabels: ['__meta_kubernetes_pod_name'], action: 'replace', targetLabel: 'pod' },
    // A workload of kind Job gets a separate label: `job` is Prometheus' label for the scrape job.
    {
      sourceLabels: ['__meta_kubernetes_pod_label_linkerd_io_proxy_job'],
      action: 'replace',
      targetLabel: 'k8s_job',
    },
    { action: 'labeldrop', regex: '__meta_kubernetes_pod_label_linkerd_io_proxy_job' },
    // linkerd.io/proxy-deployment becomes the label `deployment`, and so on for each kind of workload.
    { action: 'labelmap', regex: '__meta_kubernetes_pod_label_linkerd_io_proxy_(.+)' },
    { action: 'labeldrop', regex: '__meta_kubernetes_pod_label_linkerd_io_proxy_(.+)' },
    { action: 'labelmap', regex: '__meta_kubernetes_pod_label_linkerd_io_(.+)' },
    // All other labels of the pod, those of linkerd.io without their prefix.
    { action: 'labelmap', regex: '__meta_kubernetes_pod_label_(.+)', replacement: '__tmp_pod_label_$1' },
    { action: 'labelmap', regex: '__tmp_pod_label_linkerd_io_(.+)', replacement: '__tmp_pod_label_$1' },
    { action: 'labeldrop', regex: '__tmp_pod_label_linkerd_io_(.+)' },
    { action: 'labelmap', regex: '__tmp_pod_label_(.+)' },
    job('linkerd-proxy'),
  ];
}

function dropPort(port: string | undefined): Relabeling[] {
  return port === undefined ? [] : [{ sourceLabels: [PORT_NAME], action: 'drop', regex: port }];
}

function containerAsComponent(): Relabeling {
  return { sourceLabels: ['__meta_kubernetes_pod_container_name'], action: 'replace', targetLabel: 'component' };
}

/** The operator names jobs `<namespace>/<PodMonitor>`; dashboards expect only the name. */
function job(name: string): Relabeling {
  return { sourceLabels: ['__address__'], action: 'replace', targetLabel: 'job', replacement: name };
}

/** Removes the rule that sets the job. */
export function withoutJob(relabelings: readonly Relabeling[]): readonly Relabeling[] {
  return relabelings.filter(({ targetLabel }) => targetLabel !== 'job');
}

/** Converts rules to Prometheus' own configuration: `source_labels` for `sourceLabels`. */
export function prometheusSpelling(relabelings: readonly Relabeling[]): readonly Values[] {
  return relabelings.map((relabeling) =>
    Object.fromEntries(Object.entries(relabeling).map(([key, value]) => [snakeCase(key), value])),
  );
}

function snakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
