import type { LinkerdRelease } from './release';

/** The last stable release that the project published. */
export const STABLE_2_14_10 = {
  versions: ['stable-2.14.10'],
  repository: 'https://helm.linkerd.io/stable',
  imported: 'stable-2.14.10',
  // https://linkerd.io/2.14/reference/helm-chart-version-matrix/
  charts: () => ({
    crds: '1.8.0',
    cni: '30.12.2',
    controlPlane: '1.16.11',
    viz: '30.12.11',
    jaeger: '30.12.11',
  }),
  features: {
    rendered: false,
    nativeSidecars: false,
    tracing: 'jaeger-extension',
    adminPorts: { keep: 'admin-http' },
    workloadSettings: ['proxy.initImage'],
    validatorUser: 'switch',
    // It brings Gateway API 0.7 along, whose latest HTTPRoute is v1beta1.
    gatewayApi: {
      installedBy: 'enableHttpRoutes',
      installed: true,
      routeVersion: 'gateway.networking.k8s.io/v1beta1',
    },
    serverVersion: 'policy.linkerd.io/v1beta1',
    viz: { metadataJobSwitch: false, prometheusCredentials: false, proxyResourcesBug: false },
  },
} as const satisfies LinkerdRelease;
