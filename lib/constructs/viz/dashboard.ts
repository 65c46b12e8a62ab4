/** The Service of Viz' dashboard, and how proxies in front of it must call it. */
export const DASHBOARD = {
  service: 'web',
  port: 8084,
  /** Response headers by which Linkerd tells clients what is none of their business: address and identity of a pod. */
  privateHeaders: ['l5d-remote-ip', 'l5d-server-id'],
} as const;
