import { fixture } from '../../constructs/pki/mesh';

/** A repository, with the expected result of its migration. */
export interface ExampleRepository {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  /** Texts that the program contains. */
  readonly has: readonly string[];
  readonly lacks?: readonly string[];
  /** The causes of notes, or their codes if they have no cause. */
  readonly notes?: readonly string[];
  readonly newAnchor?: boolean;
  readonly cluster?: string;
}

const indented = (text: string, by: number) => text.trimEnd().replaceAll('\n', `\n${' '.repeat(by)}`);

const flux = (chart: string, values: string, further = '') => `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: ${chart}, namespace: linkerd }
spec:
  chart: { spec: { chart: ${chart}, version: 2026.8.3, sourceRef: { kind: HelmRepository, name: linkerd } } }
  ${further}
  values: ${values}
`;

const CONTROL_PLANE = flux('linkerd-control-plane', '{ controllerReplicas: 2, identity: { externalCA: true } }');

const kustomization = (text: string) => `apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n${text}\n`;

const argo = (name: string, source: string, kind = 'Application') => {
  const spec = `{ destination: { namespace: ${name} }, source: ${source} }`;
  return `apiVersion: argoproj.io/v1alpha1
kind: ${kind}
metadata: { name: ${name}, namespace: argocd }
spec: ${kind === 'Application' ? spec : `{ template: { spec: ${spec} } }`}
`;
};

const certificate = (name: string, namespace: string, spec: string) => `apiVersion: cert-manager.io/v1
kind: Certificate
metadata: { name: ${name}, namespace: ${namespace} }
spec: { secretName: ${name}, ${spec} }
`;

const ECDSA = 'privateKey: { algorithm: ECDSA }';

const IDENTITY = (windows: string, issuer = 'kind: ClusterIssuer, name: linkerd-identity-issuer') =>
  certificate('linkerd-identity-issuer', 'linkerd', `isCA: true, ${windows}, ${ECDSA}, issuerRef: { ${issuer} }`);

const ANCHOR = (spec: string) =>
  certificate(
    'linkerd-trust-anchor',
    'cert-manager',
    `isCA: true, duration: 87600h, renewBefore: 8760h, usages: [cert sign, crl sign], issuerRef: { kind: Issuer, name: linkerd-trust-root-issuer }, ${spec}`,
  );

const SIGNER = `apiVersion: cert-manager.io/v1
kind: ClusterIssuer
metadata: { name: linkerd-identity-issuer }
spec: { ca: { secretName: linkerd-trust-anchor } }
`;

const BUNDLE = `apiVersion: trust.cert-manager.io/v1alpha1
kind: Bundle
metadata: { name: linkerd-identity-trust-roots }
spec:
  sources: [{ secret: { name: own-roots, key: ca.crt } }, { useDefaultCAs: true }]
  target: { configMap: { key: ca-bundle.crt } }
`;

const OWN_ANCHOR = 'trustAnchor: { duration: Duration.hours(87600), renewBefore: Duration.hours(8760) }';

/**
 * Repositories of Flux, Argo CD, Kustomize, Helm, k3s, helmfile and Terraform, with and without manual certificates.
 */
export const REPOSITORIES: readonly ExampleRepository[] = [
  {
    name: 'flux',
    files: {
      'infrastructure/linkerd/release.yaml': `${CONTROL_PLANE}---\n${flux('linkerd-crds', '{}')}---\n${flux('linkerd-viz', '{ dashboard: { replicas: 2 }, tap: { replicas: "${REPLICAS}" } }')}`,
      'infrastructure/cert-manager.yaml': flux('cert-manager', '{ installCRDs: true, replicaCount: 2 }')
        .replace('2026.8.3', 'v1.16.1')
        .replace('namespace: linkerd }', 'namespace: certs }'),
      'infrastructure/trust-manager.yaml': flux('trust-manager', '{ crds: { enabled: true } }').replace(
        '2026.8.3',
        '0.12.1',
      ),
      'infrastructure/ingress.yaml': flux('ingress-nginx', '{ a: 1 }', 'postRenderers: [{}]'),
      'apps/shop/namespace.yaml':
        'apiVersion: v1\nkind: Namespace\nmetadata: { name: shop, labels: { team: a }, annotations: { linkerd.io/inject: enabled } }\n',
      'apps/shop/server.yaml':
        'apiVersion: policy.linkerd.io/v1beta3\nkind: Server\nmetadata: { name: web, namespace: shop }\n',
    },
    has: [
      "new CertManager(scope, 'cert-manager', { version: 'v1.16.1', namespace: 'certs', values: { replicaCount: 2 } })",
      "new TrustManager(scope, 'trust-manager', { certManager })",
      'values: { controllerReplicas: 2 }',
      'values: { dashboard: { replicas: 2 } }',
      "meshing.namespace('shop');",
      '// Left out: infrastructure/linkerd/release.yaml:17: spec.values.tap.replicas: ',
      '// Left out: apps/shop/namespace.yaml:1: Namespace shop: meshing.namespace does not set team.',
      '// Left out: apps/shop/server.yaml:1: policies and profiles of Linkerd stay manifests: 1 Server.',
      'helm get values linkerd-viz --namespace linkerd',
      'infrastructure/trust-manager.yaml:1: spec installs version 0.12.1 of trust-manager, and the program installs v0.24.0',
    ],
    lacks: ['ingress', '${'],
    notes: ['manager-version', 'setting', 'setting', 'unread', 'external', 'manifest', 'policies'],
  },
  {
    name: 'kustomize',
    files: {
      'base/kustomization.yaml': kustomization(
        'resources: [release.yaml]\nconfigMapGenerator: [{ name: v, namespace: linkerd, files: [values.yaml] }]',
      ),
      'base/release.yaml': flux(
        'linkerd-control-plane',
        '{ podLabels: { a: "1" }, logLevel: x }',
        'valuesFrom: [{ kind: ConfigMap, name: v }]',
      ),
      'base/values.yaml': 'controllerReplicas: 2\ncontrollerLogLevel: debug\n',
      'prod/kustomization.yaml': kustomization(
        `resources: [../base]
patches:
  - path: own.yaml
  - target: { kind: HelmRelease, name: linkerd-.* }
    patch: '[{ "op": "replace", "path": "/spec/values/podLabels/a", "value": "2" }, { "op": "remove", "path": "/spec/values/logLevel" }]'
  - target: { kind: HelmRelease, labelSelector: "a in (b)" }
    patch: '[{ "op": "remove", "path": "/spec" }]'
  - target: { kind: Deployment, name: (x|y)+ }
    patch: '[{ "op": "remove", "path": "/spec" }]'
patchesStrategicMerge:
  - merge.yaml`,
      ),
      'prod/own.yaml': flux('linkerd-control-plane', '{ priorityClassName: high }'),
      'prod/merge.yaml': flux('linkerd-control-plane', '{ podAnnotations: { b: "1" } }'),
    },
    newAnchor: true,
    has: [
      'controllerReplicas: 2',
      "controllerLogLevel: 'debug'",
      "podLabels: { a: '2' }",
      "podAnnotations: { b: '1' }",
      "priorityClassName: 'high'",
      '// Left out: prod/kustomization.yaml:1: patches[2] is a patch that the command cannot apply.',
    ],
    lacks: ['logLevel: ', 'patches[3]'],
    notes: ['patch'],
  },
  {
    name: 'kustomize-overlays',
    files: {
      'base/kustomization.yaml':
        'resources: [release.yaml]\nconfigMapGenerator: [{ name: v, literals: ["values.yaml=controllerReplicas: 2", "other.yaml=a: 1"] }]\n',
      'base/release.yaml': flux('a', '{}', 'valuesFrom: [{ kind: ConfigMap, name: v }]'),
      'overlay/kustomization.yml':
        'bases: [../base/]\nnamespace: mesh\nconfigMapGenerator: [{ name: v, behavior: merge, literals: ["values.yaml=controllerReplicas: 3"] }]\npatches: [{ target: { kind: HelmRelease, name: a }, path: chart.yaml }]\n',
      'overlay/chart.yaml': '- { op: replace, path: /spec/chart/spec/chart, value: linkerd-control-plane }\n',
    },
    newAnchor: true,
    has: ['controllerReplicas: 3', "controlPlaneNamespace: 'mesh'"],
    lacks: ['Left out'],
  },
  {
    name: 'flux-clusters',
    files: Object.fromEntries([
      ['infra/linkerd/release.yaml', flux('linkerd-control-plane', '{ controllerReplicas: 2 }')],
      ...['prod', 'test'].flatMap((name) => [
        [
          `clusters/${name}/linkerd.yaml`,
          `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: linkerd, namespace: flux-system }
spec:
  path: ./infra/linkerd
  patches:
    - target: { kind: HelmRelease }
      patch: '[{ "op": "add", "path": "/spec/values/clusterDomain", "value": "${name}.example" }]'
`,
        ],
        [
          `clusters/${name}/self.yaml`,
          `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: self }\nspec: { path: ./clusters/${name} }\n`,
        ],
      ]),
    ]),
    cluster: 'clusters/prod',
    newAnchor: true,
    has: ["clusterDomain: 'prod.example'", 'controllerReplicas: 2'],
    lacks: ['test.example'],
  },
  {
    name: 'argo',
    files: {
      'argocd/linkerd.yaml': `${argo('linkerd', "{ chart: linkerd-control-plane, targetRevision: 2026.8.3, helm: { valueFiles: [$values/values/prod.yaml, $values/gone.yaml], values: 'podLabels: { a: x }', parameters: [{ name: controllerReplicas, value: '3' }] } }")}---\n${argo('linkerd-viz', "{ chart: linkerd-viz, helm: { valuesObject: { dashboard: { replicas: 2, name: '{{ .name }}' } } } }", 'ApplicationSet')}`,
      'argocd/umbrella.yaml': argo('linkerd-cni', '{ path: charts/cni, helm: { valueFiles: [own.yaml] } }'),
      'values/prod.yaml': 'controllerReplicas: 2\ncontrollerLogLevel: debug\ncniEnabled: true\n',
      'charts/cni/Chart.yaml':
        'apiVersion: v2\nname: cni\nversion: 1.0.0\ndependencies: [{ name: linkerd2-cni, alias: plugin, version: 2026.8.3 }, { name: x, version: 1 }]\n',
      'charts/cni/values.yaml': 'plugin: { iptablesMode: legacy }\n',
      'charts/cni/own.yaml': 'plugin: { priorityClassName: high }\n',
      'charts/cni/templates/x.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: linkerd }\ndata: {{ .Values.x }}\n`,
    },
    newAnchor: true,
    has: [
      "iptablesMode: 'legacy'",
      "priorityClassName: 'high'",
      'controllerReplicas: 3',
      "controllerLogLevel: 'debug'",
      "podLabels: { a: 'x' }",
      'values: { dashboard: { replicas: 2 } }',
      'spec.source.helm.valueFiles[1]: the command cannot read the value',
      'kubectl get applications.argoproj.io --namespace argocd -o yaml',
    ],
    lacks: ['{{'],
    notes: ['unread', 'unread'],
  },
  {
    name: 'umbrella',
    files: {
      'mesh/Chart.yaml':
        'apiVersion: v2\nname: mesh\ndependencies: [{ name: linkerd-control-plane, version: 2026.8.3 }, { name: linkerd-viz, version: 2026.8.3, condition: linkerd-viz.enabled }, { name: cert-manager, version: v1.21.1 }]\n',
      'mesh/values.yaml':
        'linkerd-control-plane: { controllerReplicas: 2 }\nlinkerd-viz: { enabled: false }\ncert-manager: { replicaCount: 2 }\n',
      'vendored/linkerd-viz/Chart.yaml': 'apiVersion: v2\nname: linkerd-viz\n',
      'vendored/linkerd-viz/values.yaml': 'dashboard: { replicas: 9 }\n',
    },
    newAnchor: true,
    has: ['controllerReplicas: 2', 'values: { replicaCount: 2 }', 'a release of the chart in vendored/linkerd-viz: '],
    lacks: ['new Viz', '9'],
    notes: ['unread'],
  },
  {
    name: 'k3s',
    files: {
      'server/manifests/linkerd.yaml':
        'apiVersion: helm.cattle.io/v1\nkind: HelmChart\nmetadata: { name: linkerd-control-plane, namespace: kube-system }\nspec: { chart: linkerd-control-plane, version: 2026.8.3, targetNamespace: linkerd, valuesContent: "controllerReplicas: 2", valuesSecrets: [{ name: a }] }\n',
      'server/manifests/config.yaml':
        'apiVersion: helm.cattle.io/v1\nkind: HelmChartConfig\nmetadata: { name: linkerd-control-plane, namespace: kube-system }\nspec: { valuesContent: "controllerReplicas: 3" }\n',
    },
    newAnchor: true,
    has: ['controllerReplicas: 3', 'helm get values linkerd-control-plane --namespace linkerd'],
    notes: ['unread'],
  },
  {
    name: 'helmfile',
    files: {
      'helmfile.yaml':
        'releases:\n  - { name: linkerd, chart: linkerd/linkerd-control-plane, version: 2026.8.3, values: [values/linkerd.yaml, values/own.yaml.gotmpl, { podLabels: { a: x } }] }\n',
      'values/linkerd.yaml': 'controllerReplicas: 2\n',
      'values/own.yaml.gotmpl': 'controllerReplicas: {{ 3 }}\n',
    },
    newAnchor: true,
    has: ['controllerReplicas: 2', "podLabels: { a: 'x' }", 'helmfile -f helmfile.yaml write-values'],
    notes: ['unread'],
  },
  {
    name: 'terraform',
    files: {
      'modules/mesh/main.tf': `locals {}

resource "helm_release" "linkerd" {
  chart   = "linkerd-control-plane"
  version = "2026.8.3"
  values = [
    file("\${path.module}/linkerd.yaml"),
    file("gone.yaml"),
    yamlencode({ podLabels = { a = "x", b = var.b }, clusterDomain = var.domain }),
  ]
}
`,
      'modules/mesh/linkerd.yaml': 'controllerReplicas: 2\n',
    },
    newAnchor: true,
    has: [
      'controllerReplicas: 2',
      "podLabels: { a: 'x' }",
      'modules/mesh/main.tf:3: helm_release.linkerd.values[1]: ',
      'helm_release.linkerd.values[2].podLabels.b: ',
      'terraform -chdir=modules/mesh show -json',
    ],
    notes: ['unread', 'unread', 'unread'],
  },
  {
    name: 'local-charts',
    files: {
      'tools/helmfile.yaml': 'releases: [{ name: viz, chart: ../charts/linkerd-viz, namespace: linkerd-viz }]\n',
      'charts/linkerd-viz/Chart.yaml':
        'name: linkerd-viz\nversion: 2026.8.3\ndependencies: [{ name: partials, version: 1 }]\n',
      'charts/linkerd-viz/values.yaml': 'dashboard: { replicas: 2 }\n',
      'infra/main.tf':
        'resource "helm_release" "mesh" {\n  chart = "${path.module}/mesh"\n  set {\n    name = "l5d.controllerReplicas"\n    value = 3\n  }\n}\n',
      'infra/mesh/Chart.yaml':
        'name: mesh\ndependencies: [{ name: linkerd-control-plane, alias: l5d, version: 2026.8.3 }]\n',
      'infra/mesh/values.yaml': 'l5d: { controllerReplicas: 2, podLabels: { a: b } }\n',
    },
    newAnchor: true,
    has: ['values: { dashboard: { replicas: 2 } }', "podLabels: { a: 'b' }", 'controllerReplicas: 3'],
    lacks: ['Left out'],
  },
  {
    name: 'kustomize-charts',
    files: {
      'kustomization.yaml': kustomization(
        'helmCharts: [{ name: linkerd-control-plane, repo: "https://helm.linkerd.io/edge", version: 2026.8.3, namespace: mesh, valuesFile: own.yaml, valuesInline: { controllerReplicas: 2 } }]',
      ),
      'own.yaml': 'controllerLogLevel: debug\ncontrollerReplicas: 4\n',
    },
    newAnchor: true,
    has: ["controllerLogLevel: 'debug'", 'controllerReplicas: 2', "controlPlaneNamespace: 'mesh'"],
  },
  {
    name: 'own-pki',
    files: {
      'mesh.yaml': CONTROL_PLANE,
      'pki.yaml': [
        ANCHOR(`${ECDSA}, commonName: root.linkerd.cluster.local`),
        SIGNER,
        IDENTITY('duration: 72h, renewBefore: 30h'),
        certificate('linkerd-proxy-injector-k8s-tls', 'linkerd', `duration: 48h, renewBefore: 24h, ${ECDSA}`),
      ].join('---\n'),
    },
    has: [
      "CertManager.fromExisting(scope, 'cert-manager')",
      "new TrustManager(scope, 'trust-manager', { certManager })",
      `${OWN_ANCHOR},`,
      'identityIssuer: { duration: Duration.hours(72), renewBefore: Duration.hours(30) }',
      'webhooks: { duration: Duration.hours(48), renewBefore: Duration.hours(24) }',
    ],
    lacks: ['Left out', 'TODO'],
  },
  {
    name: 'old-pki',
    files: {
      'mesh.yaml': `${CONTROL_PLANE}---\n${flux('cert-manager', '{}').replace('2026.8.3', '1.16.1').replace('namespace: linkerd }', 'namespace: cert-manager }')}---\n${flux('trust-manager', '{ app: { trust: { namespace: other } } }').replace('2026.8.3', 'v0.24.0')}`,
      'pki.yaml': [
        ANCHOR(`${ECDSA}, commonName: root.linkerd.cluster.local`),
        SIGNER,
        IDENTITY('duration: 48h, renewBefore: 25h'),
      ].join('---\n'),
    },
    has: [
      "{ version: 'v1.16.1' }",
      "rotation: 'automatic-unsafe'",
      '// Left out: The program leaves out the namespace linkerd of mesh.yaml:17: spec.',
      '// Left out: The program leaves out the namespace other of mesh.yaml:17: spec.',
    ],
    notes: ['setting', 'setting'],
  },
  {
    name: 'short-anchor',
    files: {
      'mesh.yaml': CONTROL_PLANE,
      'pki.yaml': [
        ANCHOR(`${ECDSA}, commonName: root.linkerd.cluster.local`).replace('8760h', '24h'),
        SIGNER,
        IDENTITY('duration: 48h, renewBefore: 25h'),
      ].join('---\n'),
    },
    has: [
      "TrustAnchor.fromSecret({ secretName: 'linkerd-trust-anchor' })",
      'because synth refuses the windows of this anchor',
    ],
    notes: ['manifest', 'external'],
  },
  {
    name: 'other-pki',
    files: {
      'mesh.yaml': CONTROL_PLANE,
      'pki.yaml': [ANCHOR('commonName: other'), SIGNER, IDENTITY('duration: 24h, renewBefore: 1h'), BUNDLE].join(
        '---\n',
      ),
    },
    has: [
      "TrustAnchor.fromSecret({ secretName: 'linkerd-trust-anchor' })",
      'spec.commonName, spec.privateKey differ from the fields of CertManagerPKI',
      'Certificate linkerd-identity-issuer: the program uses the default of identityIssuer, because synth refuses this window: ',
      'Bundle linkerd-identity-trust-roots: the source useDefaultCAs: ',
    ],
    lacks: ['identityIssuer: {'],
    notes: ['manifest', 'manifest', 'manifest', 'external'],
  },
  {
    name: 'vault-pki',
    files: {
      'mesh.yaml': CONTROL_PLANE,
      'pki.yaml': [IDENTITY('duration: 48h, renewBefore: 25h', 'kind: ClusterIssuer, name: vault'), BUNDLE].join(
        '---\n',
      ),
    },
    has: ['TrustAnchor.fromClusterIssuer({', "name: 'vault'", "roots: { secretName: 'own-roots', key: 'ca.crt' }"],
    notes: ['manifest', 'external'],
  },
  {
    name: 'pem-pki',
    files: {
      'mesh.yaml': flux(
        'linkerd-control-plane',
        `\n    identityTrustAnchorsPEM: |\n      ${indented(fixture('anchor'), 6)}`,
      ),
      'pki.yaml': [
        IDENTITY('duration: 48h, renewBefore: 25h', 'name: own'),
        'apiVersion: cert-manager.io/v1\nkind: Issuer\nmetadata: { name: own, namespace: linkerd }\nspec: { ca: { secretName: own } }\n',
      ].join('---\n'),
    },
    has: ["issuer: { name: 'own', kind: 'Issuer' }", "{ kind: 'Issuer', namespace: 'linkerd', name: 'own' }"],
    lacks: ['TODO'],
  },
  {
    name: 'installed',
    files: {
      'linkerd.yaml': `apiVersion: v1
kind: ConfigMap
metadata: { name: linkerd-config, namespace: linkerd, labels: { linkerd.io/control-plane-ns: linkerd } }
data:
  values: |
    controllerReplicas: 2
    linkerdVersion: stable-2.10.2
    heartbeatSchedule: ""
    proxy: { image: { version: stable-2.10.2 } }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: linkerd-identity, namespace: linkerd, labels: { linkerd.io/control-plane-ns: linkerd } }
`,
    },
    newAnchor: true,
    has: [
      'values: { controllerReplicas: 2 }',
      '// Left out: linkerd.yaml:1: the files contain 2 objects that charts of Linkerd rendered.',
    ],
    lacks: ['2.10'],
    notes: ['version', 'rendered'],
  },
];
