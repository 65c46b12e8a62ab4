import { lint } from '#lib/cli/lint/lint';
import { manifestStream, renderChart } from '#lib/cli/render-chart';
import { worldsOf } from '#lib/cli/repository/worlds';
import { CHART_NAMES } from '#linkerd/renderers/chart-names';
import { BASES } from '../bases';

/** The findings of files as `file:line code`. */
function found(files: Readonly<Record<string, string>>, options: Parameters<typeof lint>[1] = {}): readonly string[] {
  return lint(new Map(Object.entries(files)), options).findings.map(
    ({ source, problem: { code } }) => `${source?.file}:${source?.line} ${code}`,
  );
}

const SECRET = `apiVersion: v1
kind: ServiceAccount
metadata: { name: web, namespace: shop }
imagePullSecrets: [{ name: registry }]
`;

test.each(CHART_NAMES)('lint reports nothing in the objects of %s', (chart) => {
  for (const values of Object.values(BASES[chart])) {
    const rendered = renderChart({ chart, values });
    const text = 'objects' in rendered ? manifestStream(rendered.objects) : '';
    // Helm prints null for a key of a template without content.
    const withNulls = text.replace(/^( +)image: /gm, '$1resources: null\n$&');
    expect(found({ 'mesh.yaml': withNulls })).toEqual([]);
  }
});

test('lint names the line of an object, in a stream and in a List', () => {
  const space = (mode: string) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: `n-${mode}`, annotations: { 'linkerd.io/inject': mode } },
  });
  const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [space('enabled'), space('nested')] }, null, 1);
  const stream = `# a comment\n---\n${JSON.stringify(space('enabled'))}\n---\n\n${JSON.stringify(space('enabeld'))}\n`;
  const line = list.slice(0, list.indexOf('"nested"')).split('\n').length;
  expect(found({ 'list.json': list, 'stream.yaml': stream })).toEqual([
    `list.json:${line} control-plane-value-refused`,
    'stream.yaml:6 control-plane-value-refused',
  ]);
});

test('lint names the line of the field that a finding is about', () => {
  const pod = `# above
kind: Pod
apiVersion: v1
metadata:
  name: web
  annotations:
    a: b
    linkerd.io/inject: enabeld
    config.linkerd.io/skip-outbound-ports: "80, 3306; 6379"
spec:
  containers:
    - name: a
      image: a:1
      ports:
        - containerPort: "80"
`;
  const at = (...lines: readonly number[]) =>
    ['control-plane-value-refused', 'port-refused', 'field-refused'].map(
      (code, index) => `a.yaml:${lines[index]} ${code}`,
    );
  expect([...found({ 'a.yaml': pod })].sort()).toEqual(at(8, 9, 15).sort());
  const list = `apiVersion: v1\nkind: List\nitems:\n${pod
    .replace('# above\n', '')
    .replaceAll(/^(?=.)/gm, '    ')
    .replace('    kind', '  - kind')}`;
  expect([...found({ 'a.yaml': `---\n${list}` })].sort()).toEqual(at(11, 12, 18).sort());
});

const VALUES = 'proxy:\n  cores: 2\n  # a comment\n  resources: 5\nnonsense: 1\n';
const inside = (depth: number) => VALUES.replace(/^/gm, ' '.repeat(depth)).trimEnd();
const CHART_AT = 'chart: linkerd-control-plane, targetRevision: 2026.8.3, repoURL: https://helm.linkerd.io/edge';

test.each([
  [
    'a HelmRelease',
    `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: linkerd, namespace: linkerd }
spec:
  interval: 1h
  chart: { spec: { chart: linkerd-control-plane, version: 2026.8.3, sourceRef: { kind: HelmRepository, name: linkerd } } }
  values:
${inside(4)}
`,
  ],
  [
    'an Application',
    `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: { name: linkerd, namespace: argocd }
spec:
  source:
    ${CHART_AT.replaceAll(', ', '\n    ')}
    helm:
      valuesObject:
${inside(8)}
`,
  ],
  [
    'an Application with several sources',
    `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: { name: linkerd, namespace: argocd }
spec:
  sources:
    - { repoURL: 'https://git.example.com/a.git', path: a }
    - ${CHART_AT.replaceAll(', ', '\n      ')}
      helm:
        valuesObject:
${inside(10)}
`,
  ],
])("lint names the line of a chart's value in %s", (_, text) => {
  const lines = text.split('\n');
  const at = (part: string) => `a.yaml:${lines.findIndex((line) => line.trim().startsWith(part)) + 1}`;
  expect(found({ 'a.yaml': text })).toEqual(
    expect.arrayContaining([`${at('resources: 5')} chart-value-refused`, `${at('nonsense')} chart-value-refused`]),
  );
});

test('lint reports a missing object only in namespaces that are in the files or external', () => {
  expect(found({ 'a.yaml': SECRET })).toEqual([]);
  expect(lint(new Map([['a.yaml', SECRET]])).unknown).toBe(2);
  const space = { kind: 'Namespace', name: 'shop' } as const;
  expect(found({ 'a.yaml': SECRET }, { external: [space] })).toEqual(['a.yaml:1 reference-missing']);
  const registry = { kind: 'Secret', namespace: 'shop', name: 'registry' } as const;
  expect(found({ 'a.yaml': SECRET }, { external: [registry] })).toEqual([]);
});

test('lint treats pods as unmeshed only if other files request proxies', () => {
  const served = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'shop' },
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { containers: [{ name: 'web', image: 'web:1', ports: [{ containerPort: 80 }] }] },
        },
      },
    },
    {
      apiVersion: 'policy.linkerd.io/v1beta3',
      kind: 'Server',
      metadata: { name: 'web', namespace: 'shop' },
      spec: { podSelector: { matchLabels: { app: 'web' } }, port: 80 },
    },
  ];
  const namespace = (name: string) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, annotations: { 'linkerd.io/inject': 'enabled' } },
  });
  const other = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'b', namespace: 'shop', annotations: { 'linkerd.io/inject': 'enabled' } },
    spec: { containers: [{ name: 'b', image: 'b:1' }] },
  };
  const release = {
    apiVersion: 'helm.toolkit.fluxcd.io/v2',
    kind: 'HelmRelease',
    metadata: { name: 'linkerd-control-plane', namespace: 'linkerd' },
    spec: { chart: { spec: { chart: 'linkerd-control-plane', version: '2026.8.3' } } },
  };
  const codes = (...items: readonly object[]) =>
    found({ 'a.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) });
  expect(codes(...served)).toEqual([]);
  expect(codes(...served, namespace('b'))).toEqual([]);
  expect(codes(...served, other)).toEqual(['a.json:1 policy-not-enforced']);
  expect(codes(...served, release)).toEqual(['a.json:1 policy-not-enforced']);
});

test.each<[selected: string, labels: object, isReported: boolean, spec: object]>([
  ['chekout', { app: 'checkout' }, true, {}],
  ['checkuot', { app: 'checkout' }, true, {}],
  ['chéckout', { app: 'checkout' }, true, {}],
  ['checkout', { app: 'checkout' }, false, {}],
  ['check', { app: 'checkout' }, false, {}],
  ['apl', { app: 'api' }, false, {}],
  ['web-1', { app: 'web-2' }, false, {}],
  ['chekout', { name: 'checkout' }, false, {}],
  ['chekout', { app: 'checkout' }, false, { port: 'grpc' }],
  ['chekout', { app: 'checkout' }, false, { podSelector: { matchLabels: { app: 'chekout', tier: 'a' } } }],
  ['chekout', { app: 'checkout' }, false, { podSelector: { matchExpressions: [{ key: 'app', operator: 'Exists' }] } }],
  ['chekout', { app: 'checkout' }, false, { podSelector: null }],
])('whether lint reports label %s of a Server for pods of %j: %j', (selected, labels, isReported, spec) => {
  const metadata = { name: 'web', namespace: 'shop' };
  const files = [
    {
      apiVersion: 'policy.linkerd.io/v1beta3',
      kind: 'Server',
      metadata,
      spec: { podSelector: { matchLabels: { app: selected } }, port: 80, accessPolicy: 'all-unauthenticated', ...spec },
    },
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...metadata, labels, annotations: { 'linkerd.io/inject': 'enabled' } },
      spec: { containers: [{ name: 'a', image: 'a:1', ports: [{ name: 'http', containerPort: 80 }] }] },
    },
  ];
  const read = Object.fromEntries(files.map((object, index) => [`${index}.json`, JSON.stringify(object)]));
  const codes = found(read).filter((line) => line.endsWith('policy-without-pods'));
  expect(codes).toEqual(isReported ? ['0.json:1 policy-without-pods'] : []);
});

test.each([
  ['a template', 'apiVersion: v1\nkind: Pod\n{{ if .Values.on }}\nmetadata: {}\n{{ end }}\n', ['template']],
  ['a value of a template', 'apiVersion: v1\nkind: Pod\nmetadata: { name: "{{ .Values.name }}" }\n', ['template']],
  ['an action without quotes', 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ .Values.name }}\n', ['template']],
  ['a placeholder', 'apiVersion: v1\nkind: Pod\nmetadata: { name: <POD_NAME> }\n', ['placeholder']],
  [
    'a key with a variable',
    'apiVersion: v1\nkind: Secret\nmetadata: { name: a }\ndata: { k: "${KEY}" }\n',
    ['substitution'],
  ],
  ['an encrypted Secret', 'apiVersion: v1\nkind: Secret\nmetadata: { name: a }\ndata: { k: "ENC[x]" }\nsops: {}\n', []],
  ['a file of a tool', 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [a]\n', []],
  ['a generated name', 'apiVersion: v1\nkind: Pod\nmetadata: { generateName: a- }\n', []],
  [
    'fields that only the cluster sets',
    'apiVersion: v1\nkind: Namespace\nmetadata: { name: a, uid: b, creationTimestamp: null }\nstatus: {}\n',
    [],
  ],
  [
    'a placeholder in place of a line',
    'apiVersion: v1\nkind: Pod\nmetadata:\n  annotations:\n    a: b\n    <MORE>\n    c: d\n',
    ['placeholder'],
  ],
  ['a substitution', 'apiVersion: v1\nkind: Pod\nmetadata: { name: "${name:=web}" }\n', ['substitution']],
  ...['"${INJECT:=enabled}"', '"${INJECT}"', '<INJECT>'].map((value): [string, string, string[]] => [
    `an annotation ${value}`,
    `apiVersion: v1\nkind: Namespace\nmetadata: { name: a, annotations: { linkerd.io/inject: ${value} } }\n`,
    [value.startsWith('<') ? 'placeholder' : 'substitution'],
  ]),
  [
    'ports with a variable',
    'apiVersion: v1\nkind: Namespace\nmetadata: { name: a, annotations: { config.linkerd.io/skip-outbound-ports: "${SKIP}" } }\n',
    ['substitution'],
  ],
  ['a script', 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { run: "echo ${NAME} {{x}}" }\n', []],
  ['values of a chart', 'proxy: { image: { version: a } }\n', []],
])('lint does not check %s', (_, text, skipped) => {
  const result = lint(new Map([['a.yaml', text]]));
  expect(result.findings).toEqual([]);
  expect(result.skipped.map(({ why }) => why)).toEqual(skipped);
});

test.each([
  ['invalid YAML', 'apiVersion: v1\nkind: Pod\nmetadata: { name: [}\n', 3],
  ['a key twice', 'apiVersion: v1\nkind: Pod\nmetadata: { name: a }\nkind: Service\n', 4],
  ['10,000 nested lists', `apiVersion: v1\nkind: Pod\na: ${'['.repeat(10_000)}`, undefined],
  [
    'aliases that expand to millions of values',
    `apiVersion: v1\nkind: Pod\na: &a [x]\n${[...'bcdefghij'].map((name, index) => `${name}: &${name} [${`*${'abcdefghi'[index]}, `.repeat(9)}]`).join('\n')}`,
    undefined,
  ],
])('lint refuses a manifest with %s', (_, text, line) => {
  expect(found({ 'a.yaml': text })).toEqual([`a.yaml:${line} file-unreadable`]);
});

test('lint accepts a finding that an annotation of the object acknowledges with a reason', () => {
  const annotated = (annotations: object) =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'shop', annotations: { 'linkerd.io/inject': 'enabeld', ...annotations } },
    });
  const codes = (annotations: object) => {
    const { findings, accepted } = lint(new Map([['a.json', annotated(annotations)]]));
    return [findings, accepted].map((some) => some.map(({ problem: { code } }) => code));
  };
  const key = 'accept.cdk8s-linkerd/control-plane-value-refused';
  expect(codes({ [key]: 'the next release knows it' })).toEqual([[], ['control-plane-value-refused']]);
  expect(codes({ [key]: ' ' })).toEqual([['control-plane-value-refused', 'acknowledgement-refused'], []]);
  for (const code of ['nonsense', 'probe-denid', 'constructor']) {
    expect(codes({ [`accept.cdk8s-linkerd/${code}`]: 'why' })).toEqual([
      ['control-plane-value-refused', 'acknowledgement-refused'],
      [],
    ]);
  }
  expect(codes({ 'accept.cdk8s-linkerd/probe-denied': 'why' })).toEqual([
    ['control-plane-value-refused', 'acknowledged-nothing'],
    [],
  ]);
});

test.each<[string, string, readonly string[]]>([
  ['Server', 'web', ['Deployment shop/web']],
  ['Server', 'we', []],
  ['HTTPRoute', 'web', []],
])('an unused acknowledgement on %s %s names the objects %j', (kind, name, objects) => {
  const SERVER = 'apiVersion: policy.linkerd.io/v1beta3\nkind: Server\n';
  const files = {
    'web.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web }, annotations: { linkerd.io/inject: enabled } }
    spec: { containers: [{ name: web, image: web, ports: [{ containerPort: 80 }], readinessProbe: { httpGet: { port: 80 } } }] }
`,
    'server.yaml': `${SERVER}metadata: { name: web, namespace: shop }
spec: { podSelector: { matchLabels: { app: web } }, port: 80, proxyProtocol: HTTP/2 }
`,
  };
  const spec = 'spec: { podSelector: { matchLabels: { app: other } }, port: 80 }';
  const annotated = `metadata: { name: ${name}, namespace: shop, annotations: { accept.cdk8s-linkerd/probe-denied: why } }`;
  const own = kind === 'HTTPRoute' ? 'apiVersion: policy.linkerd.io/v1beta3\nkind: HTTPRoute\n' : SERVER;
  const changed =
    kind === 'Server' && name === 'web'
      ? { 'server.yaml': files['server.yaml'].replace(/metadata: .*/, annotated) }
      : { 'own.yaml': `${own}${annotated}\n${kind === 'Server' ? spec : 'spec: { parentRefs: [] }'}\n` };
  const { findings } = lint(new Map(Object.entries({ ...files, ...changed })));
  const idle = findings.filter(({ problem }) => problem.code === 'acknowledged-nothing');
  expect(findings.map(({ problem }) => problem.code)).toContain('probe-denied');
  expect(idle.map(({ problem }) => problem.cause)).toEqual([objects.length > 0 ? 'elsewhere' : undefined]);
  expect(idle.flatMap(({ problem }) => problem.parameters?.object ?? [])).toEqual(objects);
});

test('worldsOf separates the files of clusters, and adds the files that all clusters share', () => {
  const worlds = (files: Readonly<Record<string, readonly string[]>>) =>
    worldsOf(
      Object.entries(files).flatMap(([file, names]) =>
        names.map((name) => ({
          file,
          object: name.startsWith('+') ? file : name,
          makes: [name].filter((one) => one.startsWith('+')),
        })),
      ),
    ).map((world) => [...new Set(world.map(({ file }) => file))]);
  expect(worlds({ 'a/1': ['x'], 'b/1': ['y'] })).toEqual([['a/1', 'b/1']]);
  expect(worlds({ 'c/a/1': ['x'], 'c/b/1': ['x'], 'd/1': ['y'] })).toEqual([
    ['c/a/1', 'd/1'],
    ['c/b/1', 'd/1'],
  ]);
  expect(worlds({ 'a/b/1': ['x'], 'a/c/1': ['x'], 'd/1': ['x'] })).toEqual([['a/b/1'], ['a/c/1'], ['d/1']]);
  expect(worlds({ 'a/1': ['x', 'x'], 'a/10': ['x'] })).toEqual([['a/1'], ['a/10']]);
  expect(worlds({ 'a/1': ['+s'], 'a/2': ['+s'] })).toEqual([['a/1', 'a/2']]);
  expect(worlds({ 'a/1': ['+s'], 'b/2': ['+s'] })).toEqual([['a/1'], ['b/2']]);
});

describe('whether the identity issuer', () => {
  const issuer = (spec: object) =>
    JSON.stringify({
      apiVersion: 'cert-manager.io/v1',
      kind: 'Certificate',
      metadata: { name: 'mine', namespace: 'linkerd' },
      spec: { secretName: 'linkerd-identity-issuer', isCA: true, issuerRef: { name: 'any' }, ...spec },
    });
  const config = (identity: unknown) =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'linkerd-config', namespace: 'linkerd' },
      data: { values: JSON.stringify({ identity }) },
    });

  test.each<[object, unknown, boolean]>([
    [{ duration: '48h', renewBefore: '1h' }, undefined, true],
    [{ duration: '48h', renewBefore: '24h' }, undefined, true],
    [{ duration: '48h', renewBefore: '25h' }, undefined, false],
    [{ duration: '72h' }, undefined, true],
    [{}, undefined, false],
    [{ duration: '48h', renewBeforePercentage: 40 }, undefined, true],
    [{ duration: '48h', renewBefore: '25h' }, { issuer: { issuanceLifetime: '48h' } }, true],
    [{ duration: '48h', renewBefore: '1h' }, { issuer: { issuanceLifetime: '30m0s' } }, false],
    [{ duration: '48h', renewBefore: '24h1m' }, { issuer: { clockSkewAllowance: '5m' } }, true],
    [{ duration: '48h', renewBefore: '1h' }, { issuer: { issuanceLifetime: 'soon' } }, false],
    [{ duration: '48h', renewBefore: '1h' }, { issuer: null }, true],
    [{ duration: '48h', renewBefore: '1h', secretName: 'other' }, undefined, false],
  ])('%j, with the values %j of identity, expires too early: %p', (spec, identity, isEarly) => {
    const files = { 'a.json': issuer(spec), ...(identity === undefined ? {} : { 'b.json': config(identity) }) };
    expect(found(files)).toEqual(isEarly ? ['a.json:1 certificate-outlives-issuer'] : []);
  });
});

describe('the release of the control plane', () => {
  const controlPlane = (container: object, change: object = {}) =>
    JSON.stringify({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: {
        name: 'linkerd-destination',
        namespace: 'linkerd',
        labels: { 'linkerd.io/control-plane-component': 'destination' },
        ...change,
      },
      spec: {
        selector: { matchLabels: { app: 'destination' } },
        template: {
          metadata: { labels: { app: 'destination' } },
          spec: {
            containers: [
              { name: 'proxy', image: 'cr.l5d.io/linkerd/proxy:edge-26.8.3' },
              { name: 'destination', ...container },
            ],
          },
        },
      },
    });
  const CORS = JSON.stringify({
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata: { name: 'api', namespace: 'shop' },
    spec: { rules: [{ filters: [{ type: 'CORS', cors: { allowOrigins: ['https://a.example'] } }] }] },
  });
  const FAULT = 'a.json:1 release-fault';
  const digest = `sha256:${'a'.repeat(64)}`;
  const created = { annotations: { 'linkerd.io/created-by': 'linkerd/helm edge-26.4.3' } };

  test.each<[string, string, readonly string[]]>([
    ['its image', controlPlane({ image: 'cr.l5d.io/linkerd/controller:edge-26.4.3' }), [FAULT]],
    ['a mirrored image', controlPlane({ image: `corp.example:5000/l5d/controller:edge-26.4.3@${digest}` }), [FAULT]],
    [
      'the program that rendered it',
      controlPlane({ image: `cr.l5d.io/linkerd/controller@${digest}` }, created),
      [FAULT],
    ],
    ['a later image', controlPlane({ image: 'cr.l5d.io/linkerd/controller:edge-26.8.3' }, created), []],
    ['an image of no release', controlPlane({ image: 'cr.l5d.io/linkerd/controller:git-1a2b3c4d' }), []],
    [
      'an image older than all known releases',
      controlPlane({ image: 'cr.l5d.io/linkerd/controller:stable-2.10.2' }),
      [],
    ],
    ['an image of another program', controlPlane({ image: 'controller:edge-26.4.3' }, { labels: {} }), []],
    ['an image of another container', controlPlane({ image: 'sidecar:edge-26.4.3' }), []],
  ])('from %s determines the faults that apply to routes', (_, deployment, expected) => {
    expect(found({ 'a.json': deployment, 'b.json': CORS })).toEqual(expected);
  });

  test('is unknown if Deployments have several', () => {
    const [one, other] = ['edge-26.4.3', 'edge-26.4.2'].map((tag, index) =>
      controlPlane({ image: `cr.l5d.io/linkerd/controller:${tag}` }, { name: `linkerd-${index}` }),
    );
    expect(found({ 'a.json': `${one}`, 'b.json': CORS, 'c.json': `${other}` })).toEqual([]);
  });

  const STABLE = controlPlane({ image: 'cr.l5d.io/linkerd/controller:stable-2.14.10' });
  const space = (annotations: object) =>
    JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', annotations } });
  const definition = JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'servers.policy.linkerd.io' },
    spec: {
      group: 'policy.linkerd.io',
      scope: 'Namespaced',
      names: { plural: 'servers', kind: 'Server' },
      versions: [{ name: 'v1beta3', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  });
  const policy = (apiVersion: string, kind: string, spec: object) =>
    JSON.stringify({
      apiVersion: `policy.linkerd.io/${apiVersion}`,
      kind,
      metadata: { name: 'a', namespace: 'shop' },
      spec,
    });
  const server = policy('v1beta1', 'Server', { podSelector: {}, port: 80 });
  const network = policy('v1alpha1', 'EgressNetwork', { trafficPolicy: 'Allow' });

  test.each<[string, string, string, readonly string[]]>([
    [
      'an annotation that the release does not read',
      STABLE,
      space({ 'config.linkerd.io/proxy-gid': '1' }),
      ['setting-unsupported'],
    ],
    [
      'a proxy of another line',
      STABLE,
      space({ 'config.linkerd.io/proxy-version': 'edge-26.8.3' }),
      ['component-release-differs'],
    ],
    ['a kind without a CRD', STABLE, network, ['version-not-served']],
    ['a version that the CRD does not serve', definition, server, ['version-not-served']],
    ['a kind without a CRD in files of CRDs', definition, network, []],
  ])('decides about %s', (_, installed, object, codes) => {
    expect(found({ 'a.json': installed, 'b.json': object })).toEqual(codes.map((code) => `b.json:1 ${code}`));
  });
});
