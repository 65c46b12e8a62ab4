import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runInMemory } from './fake-terminal';

test('migrate applies --chart, --release and --namespace', async () => {
  const args = ['migrate', '--chart', 'linkerd2-cni', '--release', 'stable-2.14.10', '-n', 'kube-cni'];
  const { stdout } = await runInMemory(args);
  expect(stdout).toContain("new LinkerdCni(scope, 'cni', { version: 'stable-2.14.10', namespace: 'kube-cni' })");
});

test('migrate --existing-cert-manager uses the cluster’s cert-manager and trust-manager', async () => {
  const { stdout } = await runInMemory(['migrate', '--existing-cert-manager']);
  expect(stdout).toContain("const certManager = CertManager.fromExisting(scope, 'cert-manager');");
  expect(stdout).toContain("const trustManager = TrustManager.fromExisting(scope, 'trust-manager');");
  expect(stdout).toMatch(/import \{ CertManager, .* TrustManager \}/);
});

test.each([
  ['null\n', 'highAvailability: false });'],
  ['controllerReplicas: 2\n', 'values: { controllerReplicas: 2 }'],
  ['USER-SUPPLIED VALUES:\nnull\n', 'highAvailability: false });'],
  ['USER-SUPPLIED VALUES:\ncontrollerReplicas: 2\n', 'values: { controllerReplicas: 2 }'],
  ['COMPUTED VALUES:\ncontrollerReplicas: 2\n', 'values: { controllerReplicas: 2 }'],
])('migrate reads the output of helm get values, and drops its heading: %j', async (stdin, program) => {
  const { code, stdout, stderr } = await runInMemory(['migrate', '--new-anchor', '-f', '-'], { stdin });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain(program);
});

test('migrate warns about values that synth will refuse', async () => {
  const { code, stdout, stderr } = await runInMemory(['migrate', '--new-anchor', '--set', 'proxy.logLevel=nonsense']);
  expect(code).toBe(0);
  expect(stdout).toContain("values: { proxy: { logLevel: 'nonsense' } }");
  expect(stderr).toMatch(/^warning: values\.proxy\.logLevel .*"nonsense".* Fix: .*\n$/);
});

test('migrate warns if the values have no trust anchor, and creates none', async () => {
  const { code, stdout, stderr } = await runInMemory(['migrate', '--set', 'controllerReplicas=2']);
  expect(code).toBe(0);
  expect(stderr).toMatch(/^warning: .*identityTrustAnchorsPEM.* Fix: .*kubectl get configmap .*--new-anchor.*\n$/);
  expect(stdout).toContain('certificates: "TODO: ');
});

test('migrate quotes keys with special characters in the paths of values', async () => {
  const { stdout, stderr } = await runInMemory(['migrate', '--new-anchor', '--set-json', 'a b=1,proxy={"c d":1}']);
  expect(stderr).toMatch(/^warning: values\["a b"\] is not a known value.* remove \["a b"\]\.$/m);
  expect(stderr).toMatch(/^warning: values\.proxy\["c d"\] is not a known value.* remove proxy\["c d"\]\.$/m);
  expect(stdout).toContain('// Left out: values["a b"] is not a known value.');
});

test('migrate refuses unknown releases as misuse', async () => {
  const { code, stderr } = await runInMemory(['migrate', '--release', '2.13']);
  expect(code).toBe(2);
  expect(stderr).toMatch(/Allowed choices are .*edge-26\.8\.3/);
});

/** The same values in the formats of tools that install charts. */
const WRAPPED: readonly (readonly [tool: string, file: string])[] = [
  ...['v2', 'v2beta1', 'v2beta2'].map(
    (version) =>
      [
        `Flux ${version}`,
        `apiVersion: helm.toolkit.fluxcd.io/${version}
kind: HelmRelease
metadata: { name: mesh, namespace: mesh }
spec:
  chart: { spec: { chart: linkerd-control-plane, version: 2026.8.1 } }
  values: { controllerReplicas: 2, podLabels: { a.b: "1" } }`,
      ] as const,
  ),
  [
    'Flux with a chartRef',
    `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: x, namespace: flux-system }
spec:
  releaseName: linkerd-control-plane
  targetNamespace: mesh
  chartRef: { kind: OCIRepository, name: linkerd-2026.8.1 }
  values: { controllerReplicas: 2, podLabels: { a.b: "1" }, linkerdVersion: edge-26.8.1 }`,
  ],
  [
    'Argo CD, as a text',
    `apiVersion: argoproj.io/v1alpha1
kind: Application
spec:
  destination: { namespace: mesh }
  source:
    chart: linkerd-control-plane
    targetRevision: 2026.8.1
    helm:
      values: |
        controllerReplicas: 7
      parameters:
      - { name: controllerReplicas, value: "2" }
      - { name: podLabels.a\\.b, value: "1", forceString: true }`,
  ],
  [
    'Argo CD, of several sources',
    `apiVersion: argoproj.io/v1alpha1
kind: Application
spec:
  destination: { namespace: mesh }
  sources:
  - { repoURL: https://git.example.com/x, ref: values }
  - chart: linkerd-control-plane
    targetRevision: 2026.8.1
    helm: { valuesObject: { controllerReplicas: 2, podLabels: { a.b: "1" } } }`,
  ],
  [
    'an ApplicationSet',
    `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
spec:
  template:
    metadata: { name: '{{ .name }}' }
    spec:
      destination: { namespace: mesh, server: '{{ .server }}' }
      source:
        chart: linkerd-control-plane
        targetRevision: 2026.8.1
        helm: { valuesObject: { controllerReplicas: 2, podLabels: { a.b: "1" } } }`,
  ],
  [
    'k3s',
    `apiVersion: helm.cattle.io/v1
kind: HelmChartConfig
metadata: { name: linkerd-control-plane }
spec: { valuesContent: "controllerReplicas: 2" }
---
apiVersion: helm.cattle.io/v1
kind: HelmChart
metadata: { name: linkerd-control-plane }
spec:
  chart: https://helm.linkerd.io/edge/linkerd-control-plane-2026.8.1.tgz
  targetNamespace: mesh
  valuesContent: "{controllerReplicas: 3, podLabels: {a.b: '1'}}"`,
  ],
  [
    'a List',
    `apiVersion: v1
kind: List
items:
- apiVersion: helm.toolkit.fluxcd.io/v2
  kind: HelmRelease
  metadata: { name: mesh, namespace: mesh }
  spec:
    chart: { spec: { chart: linkerd-control-plane, version: 2026.8.1 } }
    values: { controllerReplicas: 2, podLabels: { a.b: "1" } }`,
  ],
  [
    'helmfile',
    `environments: { default: {} }
---
releases:
- name: mesh
  namespace: mesh
  chart: linkerd/linkerd-control-plane
  version: 2026.8.1
  values:
  - { controllerReplicas: 3 }
  - podLabels: { a.b: "1" }
  set: [{ name: controllerReplicas, value: 2 }]`,
  ],
  [
    'Terraform',
    `resource "helm_release" "mesh" {
  chart     = "linkerd-control-plane"
  version   = "2026.8.1"
  namespace = "mesh" # its own
  timeout   = var.timeout
  values = [
    <<-EOT
      controllerReplicas: 3
    EOT
    ,
    yamlencode({ podLabels = { "a.b" = "1" } }),
  ]
  set {
    name  = "controllerReplicas"
    value = 2
  }
  lifecycle { ignore_changes = [metadata] }
}`,
  ],
  [
    'Terraform with a list',
    `resource "helm_release" "mesh" {
  chart     = "linkerd-control-plane"
  version   = "2026.8.1"
  namespace = "mesh"
  set = [
    { name = "controllerReplicas", value = "2" },
    { name = "podLabels.a\\\\.b", value = "1", type = "string" },
  ]
}`,
  ],
];

test.each(WRAPPED)('migrate reads the values of a release of %s', async (_, stdin) => {
  const { code, stdout, stderr } = await runInMemory(['migrate', '--new-anchor', '-f', '-'], { stdin });
  expect({ code, stderr: stderr.replace(/^warning: .* leaves out standard input, document 1\. .*\n/, '') }).toEqual({
    code: 0,
    stderr: '',
  });
  expect(stdout).toContain("controlPlaneNamespace: 'mesh'");
  expect(stdout).toContain("version: 'edge-26.8.1'");
  expect(stdout).toContain("values: { podLabels: { 'a.b': '1' }, controllerReplicas: 2 }");
});

const FLUX = (spec: string) => `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: mesh, namespace: mesh }
spec: { chart: { spec: { chart: linkerd-control-plane } }, ${spec} }`;
const ARGO = (helm: string) => `apiVersion: argoproj.io/v1alpha1
kind: Application
spec: { source: { chart: linkerd-viz, helm: { ${helm} } } }`;
const TERRAFORM = (body: string) => `resource "helm_release" "mesh" {\n  chart = "linkerd-viz"\n${body}\n}`;

const OBJECT = (kind: string, fields: string, name = 'a', namespace = 'mesh') =>
  `apiVersion: v1\nkind: ${kind}\nmetadata: { name: ${name}, namespace: ${namespace} }\n${fields}`;
const base64 = (text: string) => Buffer.from(text).toString('base64');
const FROM = (reference: string, values = '{}') => FLUX(`valuesFrom: [{ ${reference} }], values: ${values}`);

test.each<[string, readonly string[], string]>([
  [
    'a ConfigMap',
    [OBJECT('ConfigMap', 'data: { values.yaml: "controllerReplicas: 2" }'), FROM('kind: ConfigMap, name: a')],
    'controllerReplicas: 2',
  ],
  [
    'a ConfigMap after the HelmRelease',
    [FROM('kind: ConfigMap, name: a'), OBJECT('ConfigMap', 'data: { values.yaml: "controllerReplicas: 2" }')],
    'controllerReplicas: 2',
  ],
  [
    'another key of a ConfigMap',
    [OBJECT('ConfigMap', 'data: { x: "controllerReplicas: 2" }'), FROM('kind: ConfigMap, name: a, valuesKey: x')],
    'controllerReplicas: 2',
  ],
  [
    'binaryData of a ConfigMap',
    [
      OBJECT('ConfigMap', `binaryData: { values.yaml: ${base64('controllerReplicas: 2')} }`),
      FROM('kind: ConfigMap, name: a'),
    ],
    'controllerReplicas: 2',
  ],
  [
    'a Secret',
    [OBJECT('Secret', `data: { values.yaml: ${base64('controllerReplicas: 2')} }`), FROM('kind: Secret, name: a')],
    'controllerReplicas: 2',
  ],
  [
    'the text of a Secret',
    [OBJECT('Secret', 'stringData: { values.yaml: "controllerReplicas: 2" }'), FROM('kind: Secret, name: a')],
    'controllerReplicas: 2',
  ],
  [
    'a key with a targetPath',
    [
      OBJECT('ConfigMap', 'data: { count: "2" }'),
      FROM('kind: ConfigMap, name: a, valuesKey: count, targetPath: controllerReplicas'),
    ],
    'controllerReplicas: 2',
  ],
  [
    'a quoted key with a targetPath',
    [
      OBJECT('ConfigMap', 'data: { count: \'"2"\' }'),
      FROM('kind: ConfigMap, name: a, valuesKey: count, targetPath: podLabels.x'),
    ],
    "podLabels: { x: '2' }",
  ],
  [
    'a ConfigMap below its inline values',
    [
      OBJECT('ConfigMap', 'data: { values.yaml: "controllerReplicas: 3" }'),
      FROM('kind: ConfigMap, name: a', '{ controllerReplicas: 2 }'),
    ],
    'controllerReplicas: 2',
  ],
  [
    'a List',
    [
      'apiVersion: v1\nkind: List\nitems: [{ apiVersion: v1, kind: ConfigMap, metadata: { name: a }, data: { values.yaml: "controllerReplicas: 2" } }]',
      FROM('kind: ConfigMap, name: a'),
    ],
    'controllerReplicas: 2',
  ],
])('migrate reads the values of a HelmRelease from %s in its input', async (_, documents, values) => {
  const { code, stdout, stderr } = await runInMemory(['migrate', '--new-anchor', '-f', '-'], {
    stdin: documents.join('\n---\n'),
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain(`values: { ${values} }`);
});

test.each([
  ['of another name', OBJECT('ConfigMap', 'data: { values.yaml: "a: 1" }', 'b')],
  ['of another namespace', OBJECT('ConfigMap', 'data: { values.yaml: "a: 1" }', 'a', 'other')],
  ['without the key', OBJECT('ConfigMap', 'data: { x: "a: 1" }')],
  ['of another kind', OBJECT('Secret', 'stringData: { values.yaml: "a: 1" }')],
  ['that is encrypted', OBJECT('ConfigMap', 'data: { values.yaml: "ENC[x]" }\nsops: { version: 3 }')],
  ['that is sealed', OBJECT('SealedSecret', 'data: { values.yaml: "x" }').replace('v1', 'bitnami.com/v1alpha1')],
])('migrate refuses a HelmRelease whose valuesFrom finds only an object %s', async (_, object) => {
  const stdin = `${object}\n---\n${FROM('kind: ConfigMap, name: a')}`;
  const { code, stderr } = await runInMemory(['migrate', '-f', '-'], { stdin });
  expect(code).toBe(1);
  expect(stderr).toContain('spec.valuesFrom[0] ');
});

test.each<[string, Readonly<Record<string, string>>]>([
  ['a file of the folder', { 'values.yaml': OBJECT('ConfigMap', 'data: { values.yaml: "controllerReplicas: 2" }') }],
  [
    'a file that Kustomize puts into a ConfigMap',
    {
      'kustomization.yaml': 'configMapGenerator: [{ name: a, files: [values.yaml=own.yaml] }]\n',
      'own.yaml': 'controllerReplicas: 2\n',
    },
  ],
  [
    'a Secret that Kustomize makes',
    {
      'kustomization.yml': 'secretGenerator: [{ name: a, files: [./values.yaml] }]\n',
      'values.yaml': 'controllerReplicas: 2\n',
    },
  ],
])('migrate reads the values of a HelmRelease from %s', async (_, files) => {
  const folder = mkdtempSync(join(tmpdir(), 'cdk8s-linkerd-'));
  try {
    const kind = 'kustomization.yml' in files ? 'Secret' : 'ConfigMap';
    const release = join(folder, 'release.yaml');
    for (const [path, content] of Object.entries({
      ...files,
      'release.yaml': FROM(`kind: ${kind}, name: a`),
      'x.tgz': '\u0000',
    }))
      writeFileSync(join(folder, path), content);
    const given = { [release]: FROM(`kind: ${kind}, name: a`) };
    const { code, stdout } = await runInMemory(['migrate', '--new-anchor', '-f', release], { files: given });
    expect(code).toBe(0);
    expect(stdout).toContain('values: { controllerReplicas: 2 }');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const TERRAFORM_JSON = (release: object) =>
  JSON.stringify({
    resource: { helm_release: { mesh: { chart: 'linkerd-control-plane', namespace: 'mesh', ...release } } },
  });

test.each<[string, string]>([
  ['texts', TERRAFORM_JSON({ values: ['controllerReplicas: 2\n'] })],
  ['yamlencode', TERRAFORM_JSON({ values: ['${yamlencode({ controllerReplicas = 2 })}'] })],
  ['a list of settings', TERRAFORM_JSON({ set: [{ name: 'controllerReplicas', value: '2' }] })],
  ['one setting', TERRAFORM_JSON({ set: { name: 'controllerReplicas', value: 2 } })],
  [
    'lists of resources',
    JSON.stringify({
      resource: [
        {
          helm_release: [
            { mesh: [{ chart: 'linkerd-control-plane', namespace: 'mesh', values: ['controllerReplicas: 2'] }] },
          ],
        },
      ],
    }),
  ],
])('migrate reads the values in the JSON of Terraform: %s', async (_, stdin) => {
  for (const args of [
    ['-f', '-'],
    ['-f', 'main.tf.json'],
  ]) {
    const { code, stdout, stderr } = await runInMemory(['migrate', '--new-anchor', ...args], {
      stdin,
      files: { 'main.tf.json': stdin },
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('values: { controllerReplicas: 2 }');
  }
});

test.each<[string, string]>([
  ['values[0]', TERRAFORM_JSON({ values: ['${file("values.yaml")}'] })],
  ['values[1]', TERRAFORM_JSON({ values: ['a: 1', 'a: ${var.a}'] })],
  ['values', TERRAFORM_JSON({ values: '${local.values}' })],
  ['set[0]', TERRAFORM_JSON({ set: [{ name: 'a', value: '${var.a}' }] })],
  ['set_sensitive', TERRAFORM_JSON({ set_sensitive: [{ name: 'a', value: 'b' }] })],
])('migrate lists values that the JSON of Terraform does not contain: %s', async (place, stdin) => {
  const { code, stderr } = await runInMemory(['migrate', '-f', '-'], { stdin });
  expect(code).toBe(1);
  expect(stderr).toContain(`standard input: helm_release.mesh.${place} `);
});

test.each([
  ['spec.valuesFrom[1]', FLUX('valuesFrom: [{ kind: ConfigMap, name: a }, { kind: Secret, name: b }], values: {}')],
  ['spec.values.clusterDomain', FLUX("values: { clusterDomain: '${domain}' }")],
  ['spec.values', FLUX('values: [1]')],
  ['spec.source.helm.valueFiles[0]', ARGO('valueFiles: [values.yaml]')],
  ['spec.source.helm.fileParameters[0]', ARGO('fileParameters: [{ name: a, path: b }]')],
  ['spec.source.helm.values', ARGO("values: '{{'")],
  ['spec.source.helm.parameters[0]', ARGO('parameters: [{ value: x }]')],
  [
    'spec.template.spec.sources[0].helm.valuesObject.clusterDomain',
    "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nspec: { template: { spec: { sources: [{ chart: linkerd-viz, helm: { valuesObject: { clusterDomain: '{{ .domain }}' } } }] } } }",
  ],
  [
    'spec.valuesSecrets[0]',
    'apiVersion: helm.cattle.io/v1\nkind: HelmChart\nspec: { chart: linkerd-viz, valuesSecrets: [{ name: a }] }',
  ],
  ['releases[0].values[1]', 'releases: [{ name: a, chart: l/linkerd-viz, values: [{ a: 1 }, values.yaml] }]'],
  ['releases[0].secrets[0]', 'releases: [{ name: a, chart: l/linkerd-viz, secrets: [secrets.yaml] }]'],
  ['helm_release.mesh.values[0]', TERRAFORM('  values = [file("values.yaml")]')],
  ['helm_release.mesh.values', TERRAFORM('  values = local.values')],
  ['helm_release.mesh.values[1]', TERRAFORM('  values = ["a: 1", "a: ${var.a}"]')],
  ['helm_release.mesh.values[0]', TERRAFORM('  values = [yamlencode({ a = var.a })]')],
  ['helm_release.mesh.set[0]', TERRAFORM('  set {\n    name = "a"\n    value = var.a\n  }')],
  ['helm_release.mesh.set_sensitive', TERRAFORM('  set_sensitive {\n    name = "a"\n    value = "b"\n  }')],
  ['helm_release.mesh.set[0]', TERRAFORM('  dynamic "set" {\n    for_each = var.all\n    content {}\n  }')],
])('migrate lists the place of values that its input does not contain: %s', async (place, stdin) => {
  const { code, stdout, stderr } = await runInMemory(['migrate', '-f', '-'], { stdin });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(`standard input: ${place} `);
});

test.each([
  ['plain text', 'text', /standard input is not a values file/],
  ['a foreign object', 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }', /No release of a chart of Linkerd/],
  ['a foreign chart', FLUX('').replace('linkerd-control-plane', 'podinfo'), /No release of a chart of Linkerd/],
  ['Terraform with an open block', `${TERRAFORM('')}\nresource "a" {`, /is not a values file: a block does not end/],
  [
    'two releases of a chart',
    `${FLUX('values: {}')}\n---\n${FLUX('values: { a: 1 }')}`,
    /in standard input, document 1.* and in .* 2/,
  ],
  ['two documents of values', 'a: 1\n---\nb: 1', /more than one document/],
])('migrate refuses %s', async (_, stdin, reason) => {
  const { code, stdout, stderr } = await runInMemory(['migrate', '-f', '-'], { stdin });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(reason);
});

test('migrate finds the values of an umbrella chart, and of the chart linkerd2 below global', async () => {
  const stdin = 'ingress: { a: 1 }\nlinkerd-viz: { prometheus: { enabled: false }, prometheusUrl: "http://p:9090" }\n';
  const { stdout, stderr } = await runInMemory(['migrate', '-f', '-'], { stdin });
  expect(stdout).toContain("prometheus: Prometheus.fromUrl({ url: 'http://p:9090' })");
  expect(stderr).toMatch(/^warning: The program leaves out standard input: ingress\. /);
  const old = await runInMemory(['migrate', '--new-anchor', '-f', '-'], {
    stdin: 'global: { clusterDomain: k8s.example, proxy: { logFormat: json } }\ncontrollerReplicas: 2\n',
  });
  expect(old.stdout).toContain("clusterDomain: 'k8s.example'");
  expect(old.stdout).toContain("values: { proxy: { logFormat: 'json' }, controllerReplicas: 2 }");
});

test('migrate derives the release from the images, unless --release is set', async () => {
  const stdin = 'proxy: { image: { version: edge-26.4.3 } }\n';
  expect((await runInMemory(['migrate', '--new-anchor', '-f', '-'], { stdin })).stdout).toContain(
    "version: 'edge-26.4.3'",
  );
  const { stdout } = await runInMemory(['migrate', '--new-anchor', '--release', 'edge-26.8.3', '-f', '-'], { stdin });
  expect(stdout).toContain("version: 'edge-26.8.3'");
});

describe('migrate, for a repository,', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'migrate-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function write(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  }

  const MESH = {
    'mesh/release.yaml': FLUX('valuesFrom: [{ kind: ConfigMap, name: v }], values: { clusterDomain: a.b }'),
    'mesh/kustomization.yaml':
      'kind: Kustomization\nresources: [release.yaml]\nconfigMapGenerator: [{ name: v, files: [values.yaml] }]\n',
    'mesh/values.yaml': 'controllerReplicas: 2\n',
    '.hidden/release.yaml': FLUX('values: { controllerReplicas: 9 }'),
  };

  test('prints the program, and compares the findings on standard error', async () => {
    write({
      ...MESH,
      'space.yaml':
        'apiVersion: v1\nkind: Namespace\nmetadata: { name: a, annotations: { linkerd.io/inject: enabeld } }\n',
    });
    symlinkSync('/etc', join(folder, 'etc'));
    const { code, stdout, stderr } = await runInMemory(['migrate', folder]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/controllerReplicas: 2/);
    expect(stderr).toMatch(/^not read: .*etc: a link that leads out of the folder/);
    expect(stderr).toMatch(/^lint finds +repository +stays +program\ncontrol-plane-value-refused +1 +1 +0$/m);
    expect(stderr).toMatch(/with a new trust anchor in place of the TODO\)\n$/);
  });

  const RELEASE = (chart: string, values: string) =>
    FLUX(`values: ${values}`).replaceAll('linkerd-control-plane', chart);

  test('keeps values that synth refuses, and omits a namespace with an unknown value, each with its place', async () => {
    const namespace =
      'apiVersion: v1\nkind: Namespace\nmetadata: { name: a, annotations: { linkerd.io/inject: enable } }\n';
    write({
      'mesh.yaml': `${RELEASE('linkerd-control-plane', '{ nonsense: 1 }')}\n---\n${namespace}`,
      'viz.yaml': `# Viz\n${RELEASE('linkerd-viz', '{ prometheus: { enabled: false } }')}`,
    });
    const { code, stdout, stderr } = await runInMemory(['migrate', folder]);
    expect(code).toBe(0);
    for (const left of [
      /mesh\.yaml:1: spec: values\.nonsense is/,
      /mesh\.yaml:\d+: Namespace a: linkerd\.io\/inject is "enable"/,
    ]) {
      expect(stdout).toMatch(new RegExp(`// Left out: .*${left.source}`));
      expect(stderr).toMatch(new RegExp(`^warning: .*${left.source}`, 'm'));
    }
    expect(stdout).toMatch(/^ {2}\/\/ TODO: url is .*\n {2}const viz = new Viz/m);
    expect(stderr).toMatch(/^warning: .*viz\.yaml:2: spec: values\.prometheus\.enabled is false/m);
    expect(stderr).toMatch(/^prometheus-missing +1 +0 +-$/m);
    expect(stderr).toMatch(/^synth refuses the program:\n.*TODO.*\[url-refused\]$/m);
  });

  test('refuses a chart without a construct, and lists its values', async () => {
    write({ 'a.yaml': RELEASE('linkerd-multicluster', '{ nonsense: 1 }') });
    const { code, stderr } = await runInMemory(['migrate', folder, '--release', 'stable-2.14.10']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^1 problem:\n.*a\.yaml:1: spec: No construct installs linkerd-multicluster/m);
    expect(stderr).toMatch(/^warning: .*a\.yaml:1: spec: values\.nonsense/m);
  });

  test.each(['file', 'folder'])('reports all refusals of a %s at once', async (kind) => {
    const twice = ['2', '3'].map((count) => RELEASE('linkerd-control-plane', `{ controllerReplicas: ${count} }`));
    const content = [...twice, RELEASE('linkerd-multicluster', '{}'), RELEASE('linkerd-multicluster', '{}')].join(
      '\n---\n',
    );
    write({ 'a.yaml': content });
    const args = kind === 'folder' ? [folder] : ['-f', '-'];
    const { code, stderr } = await runInMemory(['migrate', ...args, '--release', 'stable-2.14.10'], { stdin: content });
    expect(code).toBe(1);
    // For a folder, charts without a construct are left out.
    const [own, ...both] = [
      'No construct installs',
      'of linkerd-control-plane are in',
      'of linkerd-multicluster are in',
    ];
    const found = stderr.match(/^\d problems:$|of linkerd-[a-z-]+ are in|No construct installs/gm);
    expect(found).toEqual(kind === 'folder' ? [own, '2 problems:', ...both] : ['3 problems:', ...both, own]);
  });

  test('reports the refusals of each cluster, and that the clusters differ', async () => {
    const twice = (count: number) => RELEASE('linkerd-viz', `{ dashboard: { replicas: ${count} } }`);
    write({
      'clusters/a/mesh.yaml': RELEASE('linkerd-control-plane', '{ clusterDomain: a.b }'),
      'clusters/b/mesh.yaml': `${RELEASE('linkerd-control-plane', '{ clusterDomain: c.d }')}\n---\n${twice(2)}\n---\n${twice(3)}`,
    });
    const { stderr } = await runInMemory(['migrate', folder]);
    expect(stderr).toMatch(/^2 problems:\n.*The meshes of .* differ\..*\n.*The values of linkerd-viz are in /m);
  });

  test('prints the command that migrates each plain values file', async () => {
    write({
      'linkerd-viz.yaml': 'a: 1',
      'linkerd-control-plane/values.yaml': 'b: 1',
      'other.yaml': 'c: 1',
      'infra/values-prod.yaml': 'controllerReplicas: 2\n',
      'mesh.yaml': 'USER-SUPPLIED VALUES:\nportsToRedirect: "1"\n',
      'umbrella.json': '{"linkerd-multicluster": {"gateway": {"enabled": false}}}',
    });
    const { code, stderr } = await runInMemory(['migrate', folder]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^5 problems:$/m);
    expect(stderr).toMatch(/migrate --chart linkerd-control-plane -f .*infra\/values-prod\.yaml\./);
    expect(stderr).toMatch(/migrate --chart linkerd2-cni -f .*mesh\.yaml\./);
    expect(stderr).toMatch(/migrate --chart linkerd-multicluster -f .*umbrella\.json\./);
    expect(stderr).toMatch(/migrate --chart linkerd-viz -f .*linkerd-viz\.yaml\./);
    expect(stderr).toMatch(/migrate --chart linkerd-control-plane -f .*linkerd-control-plane\/values\.yaml\./);
  });

  test.each(['clusters/a', './clusters/a/', 'clusters/a/mesh.yaml'])(
    'derives the cluster %s from its folder',
    async (cluster) => {
      write({
        'clusters/a/mesh.yaml': RELEASE('linkerd-control-plane', '{ clusterDomain: a.b }'),
        'clusters/b/mesh.yaml': RELEASE('linkerd-control-plane', '{ clusterDomain: c.d }'),
      });
      const { code, stdout } = await runInMemory(['migrate', folder, '--cluster', cluster]);
      expect(code).toBe(0);
      expect(stdout).toContain("clusterDomain: 'a.b'");
      const whole = await runInMemory(['migrate', folder, '--cluster', join(folder, cluster)]);
      expect(whole.stdout).toBe(stdout);
      expect((await runInMemory(['migrate', folder, '--cluster', 'clusters/c'])).stderr).toContain(
        'neither the folder of a cluster',
      );
    },
  );

  test('reads the folder of a chart that depends on charts of Linkerd', async () => {
    write({
      'mesh/Chart.yaml': 'name: mesh\ndependencies: [{ name: linkerd-control-plane, version: 2026.8.3 }]\n',
      'mesh/values.yaml': 'linkerd-control-plane: { controllerReplicas: 2 }\n',
      'mesh/own.yaml': 'linkerd-control-plane: { controllerLogLevel: debug }\n',
      'mesh/templates/shop.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: {{ toYaml .Values.shop }}\n',
      'argocd.yaml': `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: { name: mesh, namespace: argocd }
spec: { destination: { namespace: linkerd }, source: { path: mesh, helm: { valueFiles: [own.yaml] } } }
`,
    });
    const { code, stdout } = await runInMemory(['migrate', folder, '--new-anchor']);
    expect(code).toBe(0);
    expect(stdout).toContain("values: { controllerLogLevel: 'debug', controllerReplicas: 2 }");
  });

  test('writes the program to a file', async () => {
    write(MESH);
    const out = join(folder, 'linkerd.ts');
    const { code, stdout } = await runInMemory([
      'migrate',
      folder,
      '--new-anchor',
      '--release',
      'edge-26.8.3',
      '--out',
      out,
    ]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(readFileSync(out, 'utf8')).toContain("clusterDomain: 'a.b'");
  });

  test('refuses a repository without a mesh, and writes nothing', async () => {
    write({ 'a.yaml': 'a: 1\n' });
    const out = join(folder, 'linkerd.ts');
    const { code, stderr } = await runInMemory(['migrate', folder, '--out', out]);
    expect(code).toBe(1);
    expect(stderr).toContain('No release of a chart of Linkerd is in the folder');
    expect(existsSync(out)).toBe(false);
  });

  test.each([
    [['.', '-f', 'values.yaml'], '-f cannot be combined with folders'],
    [['.', '--set', 'a=b'], '--set cannot be combined with folders'],
    [['.', '-n', 'mesh'], '-n cannot be combined with folders'],
    [['--cluster', 'prod'], '--cluster is for a repository'],
    [['--out', 'a.ts', '-f', '-'], '--out is for a repository: redirect standard output to the file: > linkerd.ts'],
    [['/nonexistent'], '/nonexistent does not exist'],
  ])('rejects incompatible options as misuse: %j', async (args, message) => {
    const { code, stderr } = await runInMemory(['migrate', ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
