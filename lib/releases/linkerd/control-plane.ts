import type { ChartGroup } from './group';

/** The differences between the templates of chart linkerd-control-plane. */
export interface ControlPlaneTemplates {
  /** The init container's image: one of its own, `proxyInit.image`, or the proxy's. */
  readonly initImage: 'own' | 'proxy';
  /** Tells whether proxies that trace are given their pod's labels; the first charts ask for a value that nobody sets. */
  readonly podInfo: boolean;
  /** Tells whether native sidecars refuse `proxy.waitBeforeExitSeconds`, which later releases pass over. */
  readonly nativeSidecarRefusesWait: boolean;
  /** The domain of the identity that proxies expect of the collector of traces. */
  readonly traceCollectorDomain: 'clusterDomain' | 'trustDomain';
  /** The values that name the user of linkerd-network-validator: its fields, or one switch for all of them. */
  readonly validatorUser: 'fields' | 'switch';
  /** The container ports of the control plane and of Viz that serve metrics, as regular expressions on their names. */
  readonly adminPorts: AdminPorts;
}

/** The names of ports that serve metrics. */
export interface AdminPorts {
  readonly keep: string;
  /** Names that `keep` matches beyond them: of the proxies' port, which has a job of its own. */
  readonly drop?: string;
}

const EDGE_25_10_7: ControlPlaneTemplates = {
  initImage: 'own',
  podInfo: false,
  nativeSidecarRefusesWait: true,
  traceCollectorDomain: 'clusterDomain',
  validatorUser: 'fields',
  // The ports have names of their own since 2.19: https://linkerd.io/2-edge/reference/controlplane-port-names/
  adminPorts: { keep: '.*admin$', drop: 'linkerd-admin' },
};
const EDGE_25_11_2: ControlPlaneTemplates = { ...EDGE_25_10_7, podInfo: true };
const EDGE_26_5_1: ControlPlaneTemplates = { ...EDGE_25_11_2, initImage: 'proxy' };
const EDGE_26_6_3: ControlPlaneTemplates = { ...EDGE_26_5_1, nativeSidecarRefusesWait: false };
const EDGE_26_8_3: ControlPlaneTemplates = { ...EDGE_26_6_3, traceCollectorDomain: 'trustDomain' };

/** Chart linkerd-control-plane, by groups of releases. */
export const CONTROL_PLANE = {
  'edge-26.8.3': { values: 'edge-26.8.3', rendered: true, templates: EDGE_26_8_3 },
  'edge-26.6.3': { values: 'edge-26.8.3', rendered: true, templates: EDGE_26_6_3 },
  'edge-26.5.1': { values: 'edge-26.5.1', rendered: true, templates: EDGE_26_5_1 },
  'edge-25.11.2': { values: 'edge-25.10.7', rendered: true, templates: EDGE_25_11_2 },
  'edge-25.10.7': { values: 'edge-25.10.7', rendered: true, templates: EDGE_25_10_7 },
  'stable-2.14.10': {
    values: 'stable-2.14.10',
    rendered: false,
    templates: { ...EDGE_25_10_7, validatorUser: 'switch', adminPorts: { keep: 'admin-http' } },
  },
} as const satisfies Readonly<Record<string, ChartGroup<ControlPlaneTemplates>>>;
