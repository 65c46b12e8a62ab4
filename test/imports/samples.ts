/** A small object of every custom kind, by apiVersion and kind: only what its CRD requires and what we emit. */
export const SAMPLES: readonly {
  readonly apiVersion: string;
  readonly kind: string;
  readonly [field: string]: unknown;
}[] = [
  {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    spec: {
      sourceRepos: ['https://git.example.com/platform.git'],
      destinations: [{ server: 'https://kubernetes.default.svc', namespace: 'linkerd' }],
      clusterResourceWhitelist: [{ group: '', kind: 'Namespace' }],
    },
  },
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
  {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    spec: {
      goTemplate: true,
      goTemplateOptions: ['missingkey=error'],
      generators: [
        {
          matrix: {
            generators: [
              { clusters: { selector: { matchLabels: { mesh: 'linkerd' } } } },
              {
                git: { repoURL: 'https://git.example.com/p.git', revision: 'HEAD', directories: [{ path: 'dist/*' }] },
              },
            ],
          },
        },
      ],
      template: {
        metadata: { name: '{{ .path.basename }}' },
        spec: { project: 'mesh', destination: { name: 'home' }, source: { repoURL: 'https://git.example.com/p.git' } },
      },
    },
  },
  {
    apiVersion: 'cert-manager.io/v1',
    kind: 'Certificate',
    spec: {
      secretName: 'linkerd-identity-issuer',
      issuerRef: { name: 'linkerd-trust-anchor', kind: 'ClusterIssuer' },
      duration: '48h',
      renewBefore: '25h',
      isCA: true,
      privateKey: { algorithm: 'ECDSA', rotationPolicy: 'Always' },
      usages: ['cert sign', 'crl sign', 'server auth'],
    },
  },
  {
    apiVersion: 'cert-manager.io/v1',
    kind: 'CertificateRequest',
    spec: { request: 'LS0t', issuerRef: { name: 'x' } },
  },
  { apiVersion: 'cert-manager.io/v1', kind: 'ClusterIssuer', spec: { ca: { secretName: 'linkerd-trust-anchor' } } },
  { apiVersion: 'cert-manager.io/v1', kind: 'Issuer', spec: { selfSigned: {} } },
  {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'GRPCRoute',
    spec: {
      parentRefs: [{ name: 'web', kind: 'Service', group: 'core', port: 80 }],
      rules: [{ backendRefs: [{ name: 'b' }] }],
    },
  },
  ...['v1', 'v1beta1'].map((version) => ({
    apiVersion: `gateway.networking.k8s.io/${version}`,
    kind: 'HTTPRoute',
    spec: {
      parentRefs: [{ name: 'web', kind: 'Service', group: 'core', port: 80 }],
      rules: [
        {
          matches: [{ path: { type: 'PathPrefix', value: '/' } }],
          backendRefs: [{ name: 'b', port: 8080, weight: 9 }],
        },
      ],
    },
  })),
  { apiVersion: 'k8s.cni.cncf.io/v1', kind: 'NetworkAttachmentDefinition', spec: { config: '{"type":"linkerd-cni"}' } },
  ...['v1alpha1', 'v1alpha2'].map((version) => ({
    apiVersion: `linkerd.io/${version}`,
    kind: 'ServiceProfile',
    spec: { routes: [{ name: 'GET /', condition: { method: 'GET', pathRegex: '/' } }] },
  })),
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
    kind: 'PodMonitor',
    spec: {
      namespaceSelector: { any: true },
      selector: {},
      podMetricsEndpoints: [
        {
          interval: '10s',
          relabelings: [{ sourceLabels: ['__meta_kubernetes_pod_container_port_name'], action: 'keep', regex: 'x' }],
        },
      ],
    },
  },
  {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    spec: {
      groups: [
        { name: 'pki', rules: [{ alert: 'Expires', expr: 'x < 1', for: '5m', labels: { severity: 'critical' } }] },
      ],
    },
  },
  {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'ServiceMonitor',
    spec: { selector: { matchLabels: { app: 'x' } }, endpoints: [{ port: 'metrics' }] },
  },
  {
    apiVersion: 'policy.linkerd.io/v1alpha1',
    kind: 'AuthorizationPolicy',
    spec: {
      targetRef: { group: 'policy.linkerd.io', kind: 'Server', name: 'metrics' },
      requiredAuthenticationRefs: [{ kind: 'ServiceAccount', name: 'prometheus', namespace: 'monitoring' }],
    },
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
  ...['v1alpha1', 'v1beta1', 'v1beta2', 'v1beta3'].map((version) => ({
    apiVersion: `policy.linkerd.io/${version}`,
    kind: 'HTTPRoute',
    spec: {
      parentRefs: [{ name: 'metrics', kind: 'Server', group: 'policy.linkerd.io' }],
      rules: [{ matches: [{ path: { value: '/metrics' } }] }],
    },
  })),
  {
    apiVersion: 'policy.linkerd.io/v1alpha1',
    kind: 'MeshTLSAuthentication',
    spec: { identities: ['*.linkerd.serviceaccount.identity.linkerd.cluster.local'] },
  },
  {
    apiVersion: 'policy.linkerd.io/v1alpha1',
    kind: 'NetworkAuthentication',
    spec: { networks: [{ cidr: '10.0.0.0/8' }] },
  },
  ...['v1alpha1', 'v1beta1', 'v1beta2', 'v1beta3'].map((version) => ({
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
    apiVersion: 'trust.cert-manager.io/v1alpha1',
    kind: 'Bundle',
    spec: {
      sources: [{ secret: { selector: { matchLabels: { 'linkerd.io/trust-anchor': 'current' } }, key: 'tls.crt' } }],
      target: {
        configMap: { key: 'ca-bundle.crt' },
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'linkerd' } },
      },
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
