/** A minimal object of each custom kind and version that dist/ lacks. */
export const OTHER_SAMPLES: readonly {
  readonly apiVersion: string;
  readonly kind: string;
  readonly [field: string]: unknown;
}[] = [
  {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    spec: {
      project: 'default',
      source: { repoURL: 'https://helm.linkerd.io/edge', chart: 'linkerd-viz', targetRevision: '2026.8.3' },
      destination: { server: 'https://kubernetes.default.svc', namespace: 'linkerd-viz' },
      syncPolicy: { automated: { prune: true, selfHeal: true }, retry: { limit: 5, backoff: { factor: 2 } } },
    },
  },
  { apiVersion: 'cert-manager.io/v1', kind: 'CertificateRequest', spec: { request: 'LS0t', issuerRef: { name: 'x' } } },
  {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'GRPCRoute',
    spec: {
      parentRefs: [{ name: 'web', kind: 'Service', group: 'core', port: 80 }],
      rules: [{ backendRefs: [{ name: 'b' }] }],
    },
  },
  {
    apiVersion: 'linkerd.io/v1alpha1',
    kind: 'ServiceProfile',
    spec: { routes: [{ name: 'GET /', condition: { method: 'GET', pathRegex: '/' } }] },
  },
  ...['v1alpha1', 'v1alpha2', 'v1alpha3'].map((version) => ({
    apiVersion: `multicluster.linkerd.io/${version}`,
    kind: 'Link',
    spec: {
      targetClusterName: 'west',
      clusterCredentialsSecret: 'cluster-credentials-west',
      gatewayPort: '4143',
      probeSpec: { path: '/ready', port: '4191', period: '3s' },
      selector: { matchLabels: { 'mirror.linkerd.io/exported': 'true' } },
    },
  })),
  {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'ServiceMonitor',
    spec: { selector: { matchLabels: { app: 'x' } }, endpoints: [{ port: 'metrics' }] },
  },
  {
    apiVersion: 'policy.linkerd.io/v1alpha1',
    kind: 'EgressNetwork',
    spec: { trafficPolicy: 'Deny', networks: [{ cidr: '0.0.0.0/0', except: ['10.0.0.0/8'] }] },
  },
  {
    apiVersion: 'policy.linkerd.io/v1alpha1',
    kind: 'HTTPLocalRateLimitPolicy',
    spec: { targetRef: { group: 'policy.linkerd.io', kind: 'Server', name: 'web' }, total: { requestsPerSecond: 100 } },
  },
  ...['v1alpha1', 'v1beta1', 'v1beta2'].map((version) => ({
    apiVersion: `policy.linkerd.io/${version}`,
    kind: 'HTTPRoute',
    spec: {
      parentRefs: [{ name: 'metrics', kind: 'Server', group: 'policy.linkerd.io' }],
      rules: [{ matches: [{ path: { value: '/metrics' } }] }],
    },
  })),
  ...['v1alpha1', 'v1beta2'].map((version) => ({
    apiVersion: `policy.linkerd.io/${version}`,
    kind: 'Server',
    spec: { podSelector: { matchLabels: { app: 'web' } }, port: 'http', proxyProtocol: 'HTTP/1' },
  })),
  {
    apiVersion: 'security.openshift.io/v1',
    kind: 'SecurityContextConstraints',
    allowHostDirVolumePlugin: true,
    allowHostIPC: false,
    allowHostNetwork: false,
    allowHostPID: false,
    allowHostPorts: false,
    allowPrivilegedContainer: true,
    allowedCapabilities: ['NET_ADMIN'],
    defaultAddCapabilities: null,
    priority: null,
    readOnlyRootFilesystem: false,
    requiredDropCapabilities: null,
    runAsUser: { type: 'RunAsAny' },
    seLinuxContext: { type: 'RunAsAny' },
    volumes: ['*'],
  },
  {
    apiVersion: 'traefik.io/v1alpha1',
    kind: 'IngressRoute',
    spec: {
      entryPoints: ['websecure'],
      routes: [
        {
          kind: 'Rule',
          match: 'Host(`viz.example.com`)',
          services: [{ name: 'web', port: 8084 }],
          middlewares: [{ name: 'auth' }],
        },
      ],
      tls: { secretName: 'viz-tls' },
    },
  },
  {
    apiVersion: 'traefik.io/v1alpha1',
    kind: 'Middleware',
    spec: { headers: { customRequestHeaders: { 'l5d-dst-override': 'web.linkerd-viz.svc.cluster.local:8084' } } },
  },
  {
    apiVersion: 'trust-manager.io/v1alpha2',
    kind: 'ClusterBundle',
    spec: {
      sourceRefs: [{ kind: 'Secret', name: 'anchor', key: 'tls.crt' }],
      target: { configMap: { data: [{ key: 'ca-bundle.crt' }] }, namespaceSelector: {} },
    },
  },
  {
    apiVersion: 'workload.linkerd.io/v1alpha1',
    kind: 'ExternalWorkload',
    spec: { meshTls: { identity: 'spiffe://root.linkerd.cluster.local/vm', serverName: 'vm.cluster.local' } },
  },
  {
    apiVersion: 'workload.linkerd.io/v1beta1',
    kind: 'ExternalWorkload',
    spec: {
      meshTLS: { identity: 'spiffe://root.linkerd.cluster.local/vm', serverName: 'vm.cluster.local' },
      workloadIPs: [{ ip: '192.0.2.1' }],
      ports: [{ port: 80, name: 'http' }],
    },
  },
];
