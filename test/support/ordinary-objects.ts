/** Objects such as a mesh consists of, with their keys in the order in which people write them. */
export const ORDINARY_OBJECTS: readonly object[] = [
  {
    apiVersion: 'cert-manager.io/v1',
    kind: 'Certificate',
    metadata: {
      name: 'linkerd-identity-issuer',
      namespace: 'linkerd',
      labels: { 'app.kubernetes.io/part-of': 'Linkerd' },
      annotations: { 'argocd.argoproj.io/sync-wave': '-1' },
    },
    spec: {
      commonName: 'identity.linkerd.cluster.local',
      duration: '48h',
      isCA: true,
      issuerRef: { kind: 'ClusterIssuer', name: 'linkerd-trust-anchor', group: 'cert-manager.io' },
      privateKey: { algorithm: 'ECDSA', rotationPolicy: 'Always', size: 256 },
      renewBefore: '25h',
      secretName: 'linkerd-identity-issuer',
      usages: ['cert sign', 'crl sign', 'server auth', 'client auth'],
    },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: 'linkerd-identity',
      namespace: 'linkerd',
      labels: {
        'app.kubernetes.io/name': 'identity',
        'app.kubernetes.io/version': 'edge-26.8.3',
        'linkerd.io/control-plane-ns': 'linkerd',
      },
      annotations: { 'linkerd.io/created-by': 'linkerd/helm edge-26.8.3' },
    },
    spec: {
      replicas: 3,
      selector: { matchLabels: { 'linkerd.io/control-plane-component': 'identity' } },
      strategy: { rollingUpdate: { maxUnavailable: 1 } },
      template: {
        metadata: {
          labels: { 'linkerd.io/control-plane-component': 'identity' },
          annotations: { 'config.linkerd.io/default-inbound-policy': 'all-unauthenticated' },
        },
        spec: {
          containers: [
            {
              name: 'identity',
              image: 'cr.l5d.io/linkerd/controller:edge-26.8.3',
              args: [
                'identity',
                '-log-level=info',
                '-identity-issuance-lifetime=24h0m0s',
                '-identity-clock-skew-allowance=20s',
                '-identity-scheme=kubernetes.io/tls',
              ],
              env: [
                { name: 'LINKERD_DISABLED', value: 'linkerd-await cannot block the identity controller' },
                { name: '_l5d_ns', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
              ],
              livenessProbe: { httpGet: { path: '/ping', port: 9990 }, initialDelaySeconds: 10 },
              ports: [
                { name: 'ident-grpc', containerPort: 8080 },
                { name: 'ident-admin', containerPort: 9990 },
              ],
              resources: { limits: { memory: '250Mi' }, requests: { cpu: '100m', memory: '10Mi' } },
              securityContext: {
                capabilities: { drop: ['ALL'] },
                readOnlyRootFilesystem: true,
                runAsUser: 2103,
                seccompProfile: { type: 'RuntimeDefault' },
              },
            },
          ],
          nodeSelector: { 'kubernetes.io/os': 'linux' },
          serviceAccountName: 'linkerd-identity',
          volumes: [{ name: 'trust-roots', configMap: { name: 'linkerd-identity-trust-roots' } }],
        },
      },
    },
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: {
      name: 'web',
      namespace: 'linkerd-viz',
      annotations: {
        'nginx.ingress.kubernetes.io/auth-type': 'basic',
        'nginx.ingress.kubernetes.io/configuration-snippet':
          'proxy_set_header Origin "";\nproxy_hide_header l5d-remote-ip;\nproxy_hide_header l5d-server-id;\n',
        'nginx.ingress.kubernetes.io/service-upstream': 'true',
        'nginx.ingress.kubernetes.io/upstream-vhost': '$service_name.$namespace.svc.cluster.local:8084',
      },
    },
    spec: {
      ingressClassName: 'nginx',
      rules: [
        {
          host: 'linkerd.example.com',
          http: {
            paths: [{ backend: { service: { name: 'web', port: { number: 8084 } } }, path: '/', pathType: 'Prefix' }],
          },
        },
      ],
      tls: [{ hosts: ['linkerd.example.com'], secretName: 'linkerd-tls' }],
    },
  },
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'prometheus-config', namespace: 'linkerd-viz' },
    data: {
      'prometheus.yml':
        "global:\n  scrape_interval: 10s\n\nscrape_configs:\n  - job_name: 'linkerd-proxy'\n    kubernetes_sd_configs:\n      - role: pod\n    relabel_configs:\n      - source_labels:\n          - __meta_kubernetes_pod_container_name\n        action: keep\n        regex: ^linkerd-proxy$\n",
    },
  },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'linkerd-identity-issuers' },
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: ['cert-manager.io'],
            apiVersions: ['*'],
            operations: ['CREATE', 'UPDATE'],
            resources: ['certificaterequests'],
          },
        ],
      },
      validations: [
        {
          expression:
            'request.namespace in ["cert-manager", "linkerd"] || object.spec.issuerRef.name != "linkerd-trust-anchor"',
          message: "Only the mesh's own namespaces may use its issuers",
        },
      ],
    },
  },
];
