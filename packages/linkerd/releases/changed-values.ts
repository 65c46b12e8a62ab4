import type { LinkerdCharts } from './charts';

/** A value that was removed from a chart. */
export interface GoneValue {
  readonly chart: keyof LinkerdCharts;
  /** Dotted path of the value. */
  readonly path: string;
  /** The first release without it. */
  readonly since: string;
  /** Dotted path of its replacement; absent if there is none. */
  readonly renamedTo?: string;
  /** A sentence about its replacement or effect. */
  readonly note: string;
}

/** A value whose default changed, so a mesh that does not set it behaves differently. */
export interface ChangedDefault {
  readonly chart: keyof LinkerdCharts;
  readonly path: string;
  readonly since: string;
  readonly before: string | boolean;
  readonly after: string | boolean;
  /** A sentence about the effect. */
  readonly note: string;
}

/**
 * The removed values, from the values.yaml of the charts at each edge tag of linkerd2 from edge-23.8.1 on, and what the
 * templates read instead. No values of Viz and of the CNI plugin were removed.
 */
export const GONE_VALUES: readonly GoneValue[] = [
  {
    chart: 'crds',
    path: 'enableHttpRoutes',
    since: 'edge-25.3.2',
    renamedTo: 'installGatewayAPI',
    note: 'If it is set, it still controls HTTPRoutes and GRPCRoutes; since edge-25.9.4 the chart installs none by default.',
  },
  {
    chart: 'controlPlane',
    path: 'controlPlaneTracing',
    since: 'edge-25.10.1',
    renamedTo: 'controller.tracing.enabled',
    note: 'Traces are sent over OTLP.',
  },
  {
    chart: 'controlPlane',
    path: 'controlPlaneTracingNamespace',
    since: 'edge-25.10.1',
    renamedTo: 'controller.tracing.collector.endpoint',
    note: 'It is now the address of an OTLP collector, not a namespace.',
  },
  {
    chart: 'controlPlane',
    path: 'policyControllerResources',
    since: 'edge-24.4.2',
    renamedTo: 'policyController.resources',
    note: 'No template read it: the policy controller had the resources of the destination controller.',
  },
  {
    chart: 'controlPlane',
    path: 'policyController.image',
    since: 'edge-25.8.3',
    renamedTo: 'controllerImage',
    note: 'The policy controller is part of the image of the controllers: controllerImage and controllerImageVersion.',
  },
  {
    chart: 'controlPlane',
    path: 'proxyInit.resources',
    since: 'edge-24.6.4',
    renamedTo: 'proxy.resources',
    note: 'The init container has the resources of the proxy.',
  },
  {
    chart: 'controlPlane',
    path: 'proxyInit.image',
    since: 'edge-25.11.3',
    renamedTo: 'proxy.image',
    note: 'The init container uses the image of the proxy: mirrors no longer need proxy-init.',
  },
  {
    chart: 'controlPlane',
    path: 'networkValidator.enableSecurityContext',
    since: 'edge-25.8.4',
    renamedTo: 'networkValidator.securityContext',
    note: 'You can set the whole security context; false still leaves it out.',
  },
];

/** Changed defaults that affect pods or nodes, from the same files. */
export const CHANGED_DEFAULTS: readonly ChangedDefault[] = [
  {
    chart: 'controlPlane',
    path: 'proxy.enableShutdownEndpoint',
    since: 'edge-24.6.2',
    before: true,
    after: false,
    note: 'Proxies no longer stop on POST /shutdown, which Jobs send to end them: use native sidecars, or set it to true.',
  },
  {
    chart: 'controlPlane',
    path: 'proxy.outboundTransportMode',
    since: 'edge-25.3.2',
    before: 'transparent',
    after: 'transport-header',
    note: 'Proxies connect to port 4143 of meshed pods instead of the port of the application: NetworkPolicies must allow it.',
  },
  {
    chart: 'controlPlane',
    path: 'proxyInit.iptablesMode',
    since: 'edge-25.8.2',
    before: 'legacy',
    after: 'nft',
    note: 'Nodes whose kernel has no nf_tables need "legacy".',
  },
  {
    chart: 'cni',
    path: 'iptablesMode',
    since: 'edge-25.8.2',
    before: 'legacy',
    after: 'nft',
    note: 'Nodes whose kernel has no nf_tables need "legacy".',
  },
  {
    chart: 'controlPlane',
    path: 'proxy.nativeSidecar',
    since: 'edge-26.5.2',
    before: false,
    after: true,
    note: 'Proxies become init containers that keep running: they start before and end after the containers of their pod, and Jobs complete by themselves.',
  },
];
