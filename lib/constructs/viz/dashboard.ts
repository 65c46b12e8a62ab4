/** The Service of Viz's dashboard, and how proxies in front of it must call it. */
export const DASHBOARD = {
  service: 'web',
  port: 8084,
  /** Response headers with which Linkerd reveals internals to clients: address and identity of a pod. */
  privateHeaders: ['l5d-remote-ip', 'l5d-server-id'],
} as const;

/** Props of a construct that exposes the dashboard. */
export interface DashboardProps<Ingress> {
  /** The user's settings. */
  readonly ingress: Ingress;
  /** Namespace of the dashboard. */
  readonly namespace: string;
  /** DNS domain of the cluster's services. */
  readonly clusterDomain: string;
}
