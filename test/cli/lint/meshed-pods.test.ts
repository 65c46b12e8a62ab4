import fc from 'fast-check';
import { lint } from '#lib/cli/lint/lint';
import { runs } from '#test/support/depth';

const INJECT = 'linkerd.io/inject';
const NATIVE = 'config.linkerd.io/proxy-enable-native-sidecar';
const OPAQUE = 'config.linkerd.io/opaque-ports';
const EXEMPT = { 'config.linkerd.io/admission-webhooks': 'disabled' };
const MESHED = { [INJECT]: 'enabled' };

interface Pods {
  readonly annotations?: object;
  readonly namespace?: string;
  readonly [field: string]: unknown;
}

const of = (apiVersion: string, kind: string, metadata: object, rest: object = {}) => ({
  apiVersion,
  kind,
  metadata,
  ...rest,
});
const space = (name: string, annotations: object = {}, labels: object = {}) =>
  of('v1', 'Namespace', { name, annotations, labels });
const templateOf = ({ annotations = {}, namespace: _, ...spec }: Pods) => ({
  metadata: { annotations, labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image: 'web:1' }], ...spec },
});
const workload = (kind: string, pods: Pods = {}) =>
  of(
    'apps/v1',
    kind,
    { name: 'web', namespace: pods.namespace ?? 'shop' },
    { spec: { selector: { matchLabels: { app: 'web' } }, template: templateOf(pods) } },
  );
const jobSpec = (pods: Pods) => ({ template: templateOf({ restartPolicy: 'Never', ...pods }) });
const job = (pods: Pods = {}) => of('batch/v1', 'Job', { name: 'web', namespace: 'shop' }, { spec: jobSpec(pods) });
const cronJob = (pods: Pods = {}) =>
  of(
    'batch/v1',
    'CronJob',
    { name: 'web', namespace: 'shop' },
    { spec: { schedule: '0 1 * * *', jobTemplate: { spec: jobSpec(pods) } } },
  );
const release = (tag: string) =>
  of(
    'apps/v1',
    'Deployment',
    {
      name: 'linkerd-destination',
      namespace: 'linkerd',
      labels: { 'linkerd.io/control-plane-component': 'destination' },
    },
    {
      spec: {
        selector: { matchLabels: { app: 'destination' } },
        template: {
          metadata: { labels: { app: 'destination' } },
          spec: { containers: [{ name: 'destination', image: `cr.l5d.io/linkerd/controller:${tag}` }] },
        },
      },
    },
  );
const config = (values: object) =>
  of('v1', 'ConfigMap', { name: 'linkerd-config', namespace: 'linkerd' }, { data: { values: JSON.stringify(values) } });

/** The findings of objects in separate files: the name of the object, and the key of the finding. */
function found(objects: readonly object[], options: Parameters<typeof lint>[1] = {}): readonly string[] {
  const files = new Map(objects.map((object, index) => [`${index}.json`, JSON.stringify(object)]));
  return lint(files, options).findings.map(
    ({ path, problem: { code, cause } }) => `${path}: ${cause === undefined ? code : `${code}/${cause}`}`,
  );
}

test.each<[string, readonly object[], readonly string[]]>([
  [
    'pods on the network of their node',
    [workload('DaemonSet', { annotations: MESHED, hostNetwork: true })],
    ['DaemonSet shop/web: host-network-in-mesh'],
  ],
  [
    'pods on the network of their node, in a meshed namespace',
    [space('shop', MESHED), workload('DaemonSet', { hostNetwork: true })],
    [],
  ],
  [
    'excluded pods on the network of their node',
    [workload('DaemonSet', { annotations: { [INJECT]: 'disabled' }, hostNetwork: true })],
    [],
  ],
  [
    'pods of kube-system',
    [workload('Deployment', { annotations: { [INJECT]: 'ingress' }, namespace: 'kube-system' })],
    ['Deployment kube-system/web: namespace-never-injected'],
  ],
  ['kube-system itself', [space('kube-system', MESHED)], ['Namespace kube-system: namespace-never-injected']],
  [
    'kube-system, if the injector selects it',
    [space('kube-system', MESHED), config({ proxyInjector: { namespaceSelector: { matchExpressions: [] } } })],
    [],
  ],
  ['an exempt, meshed namespace', [space('shop', MESHED, EXEMPT)], ['Namespace shop: namespace-never-injected/label']],
  [
    'pods of an exempt namespace',
    [space('shop', {}, EXEMPT), workload('StatefulSet', { annotations: MESHED })],
    ['StatefulSet shop/web: namespace-never-injected/label'],
  ],
  ['an exempt namespace without injection', [space('shop', {}, EXEMPT), workload('Deployment')], []],
  ['annotations that are not a map', [{ ...space('shop'), metadata: { name: 'shop', annotations: null } }], []],
])('lint detects if pods are never injected: %s', (_, objects, expected) => expect(found(objects)).toEqual(expected));

describe('lint detects whether a job of the mesh never ends,', () => {
  const never = (cause: string, kind = 'Job') => [`${kind} shop/web: job-never-ends/${cause}`];
  const off = { annotations: { ...MESHED, [NATIVE]: 'false' } };
  const on = { annotations: { ...MESHED, [NATIVE]: 'true' } };
  const running = (...command: string[]) => ({ containers: [{ name: 'web', image: 'web:1', command }] });
  const [STABLE, OLD, NEW] = ['stable-2.14.10', 'edge-26.5.1', 'edge-26.8.3'].map(release);

  test.each<[string, Readonly<Record<string, object>>, readonly string[]]>([
    [
      'turn off native sidecars',
      { 'linkerd/values.yaml': { proxy: { nativeSidecar: false }, proxyInit: {} } },
      never('unknown-release'),
    ],
    ['do not set native sidecars', { 'linkerd/values.yaml': { proxyInit: {} } }, []],
    [
      'are overridden',
      {
        'linkerd/values.yaml': { proxy: { nativeSidecar: false }, proxyInit: {} },
        'linkerd/values-prod.yaml': { proxy: { nativeSidecar: true } },
      },
      [],
    ],
    [
      'belong to several control planes',
      {
        'a/linkerd/values.yaml': { proxy: { nativeSidecar: false }, proxyInit: {} },
        'b/linkerd/values.yaml': { proxyInit: {} },
      },
      [],
    ],
  ])('if values files %s', (_, values, expected) => {
    const files = { 'a.yaml': job({ annotations: MESHED }), ...values };
    const { findings } = lint(new Map(Object.entries(files).map(([file, data]) => [file, JSON.stringify(data)])));
    expect(findings.map(({ path, problem: { code, cause } }) => `${path}: ${code}/${cause}`)).toEqual(expected);
  });

  test.each<[string, readonly (object | undefined)[], readonly string[]]>([
    ['of an unknown release', [space('shop', MESHED), job()], []],
    ['of an unknown release, without a native sidecar', [job(off)], never('unknown-release')],
    [
      'of an unknown release whose namespace turns off native sidecars',
      [space('shop', { ...MESHED, [NATIVE]: 'false' }), cronJob()],
      never('unknown-release', 'CronJob'),
    ],
    [
      'of an unknown release whose values turn off native sidecars',
      [config({ proxy: { nativeSidecar: false } }), job({ annotations: MESHED })],
      never('unknown-release'),
    ],
    [
      'of an unknown release with the annotation of another release',
      [job({ annotations: { ...MESHED, 'config.beta.linkerd.io/proxy-enable-native-sidecar': 'false' } })],
      never('unknown-release'),
    ],
    ['of 2.14', [STABLE, space('shop', MESHED), job()], never('without-native-sidecars')],
    [
      'of 2.14, with an annotation that it does not read',
      [STABLE, job({ annotations: { ...MESHED, 'config.alpha.linkerd.io/proxy-enable-native-sidecar': 'true' } })],
      never('without-native-sidecars'),
    ],
    [
      'of 2.14 that ends its proxy',
      [STABLE, job({ annotations: MESHED, ...running('/linkerd-await', '--shutdown', '--', '/web') })],
      [],
    ],
    [
      'of 2.14 whose script ends its proxy',
      [
        STABLE,
        job({ annotations: MESHED, ...running('sh', '-c', 'web && curl -XPOST http://localhost:4191/shutdown') }),
      ],
      [],
    ],
    ['of 2.14 that has no proxy', [STABLE, space('shop'), job()], []],
    ['of 2.14 that is excluded', [STABLE, space('shop', MESHED), job({ annotations: { [INJECT]: 'disabled' } })], []],
    ['of 2.14 in a namespace of no file', [STABLE, job()], []],
    ['of a release without native sidecars', [OLD, space('shop', MESHED), cronJob()], never('default', 'CronJob')],
    [
      'of a release without native sidecars by default, turned on by values',
      [OLD, config({ proxy: { nativeSidecar: true } }), space('shop', MESHED), job()],
      [],
    ],
    ['of a release with native sidecars', [NEW, space('shop', MESHED), job()], []],
    ['of a release with native sidecars, turned off by an annotation', [NEW, job(off)], never('turned-off')],
    [
      'of a control plane without native sidecars',
      [NEW, config({ proxy: { nativeSidecar: false } }), job({ annotations: MESHED })],
      never('control-plane'),
    ],
    [
      'of a mesh without native sidecars, turned on by an annotation of the job',
      [NEW, config({ proxy: { nativeSidecar: false } }), job(on)],
      [],
    ],
  ])('for a job %s', (_, objects, expected) => {
    const ends = found(objects.filter((object) => object !== undefined));
    expect(ends.filter((one) => one.includes('job-never-ends'))).toEqual(expected);
  });
});

describe('lint detects whether the injector blocks its own start,', () => {
  const webhook = (change: object = {}) =>
    of(
      'admissionregistration.k8s.io/v1',
      'MutatingWebhookConfiguration',
      { name: 'injector' },
      {
        webhooks: [
          {
            name: 'linkerd-proxy-injector.linkerd.io',
            admissionReviewVersions: ['v1'],
            sideEffects: 'None',
            clientConfig: { service: { name: 'linkerd-proxy-injector', namespace: 'linkerd' } },
            failurePolicy: 'Fail',
            objectSelector: {
              matchExpressions: [{ key: 'linkerd.io/control-plane-component', operator: 'DoesNotExist' }],
            },
            ...change,
          },
        ],
      },
    );
  const except = (...names: string[]) => ({ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: names });
  const unlabelled = { key: 'config.linkerd.io/admission-webhooks', operator: 'NotIn', values: ['disabled'] };
  const selecting = (...matchExpressions: object[]) => webhook({ namespaceSelector: { matchExpressions } });
  const deadlock = (cause: string) => [`MutatingWebhookConfiguration injector: injector-deadlock/${cause}`];

  test.each<[string, readonly object[], readonly string[]]>([
    ['for all namespaces', [webhook()], deadlock('webhook')],
    ['for all namespaces, without a failurePolicy', [webhook({ failurePolicy: undefined })], deadlock('webhook')],
    ['for all namespaces, with failurePolicy: Ignore', [webhook({ failurePolicy: 'Ignore' })], []],
    ['for all namespaces except kube-system', [selecting(except('kube-system'))], []],
    ['for all namespaces except an unrelated one', [selecting(except('infra'))], deadlock('webhook')],
    ['for kube-system without the label', [selecting(unlabelled), space('kube-system')], deadlock('webhook')],
    ['for kube-system with the label', [selecting(unlabelled), space('kube-system', {}, EXEMPT)], []],
    ['for kube-system without its Namespace in the files', [selecting(unlabelled)], []],
    [
      'for its own pods',
      [webhook({ objectSelector: {}, namespaceSelector: { matchExpressions: [except('kube-system')] } })],
      deadlock('webhook'),
    ],
    ['of another program', [webhook({ clientConfig: { service: { name: 'vault', namespace: 'linkerd' } } })], []],
  ])('with a webhook %s', (_, objects, expected) => expect(found(objects)).toEqual(expected));

  test('with a webhook for kube-system without the label, if no other files define the namespace', () => {
    const codes = found([selecting(unlabelled)], { external: [] });
    expect(codes).toContain(deadlock('unlabelled')[0]);
  });
});

describe('opaque ports of a Service', () => {
  const service = (
    ports: string | null,
    port: object = { port: 3307, targetPort: 'db' },
    selector: object = { app: 'web' },
  ) =>
    of(
      'v1',
      'Service',
      { name: 'db', namespace: 'shop', annotations: ports === null ? {} : { [OPAQUE]: ports } },
      { spec: { selector, ports: [{ name: 'tcp', ...port }] } },
    );
  const pods = (annotations: object = MESHED) =>
    workload('Deployment', {
      annotations,
      containers: [{ name: 'db', image: 'db:1', ports: [{ name: 'db', containerPort: 3308 }] }],
    });
  const WITHOUT = ['Service shop/db: opaque-ports-without-effect'];
  const PODS = ['Service shop/db: opaque-ports-without-effect/pods'];
  const server = of(
    'policy.linkerd.io/v1beta3',
    'Server',
    { name: 'db', namespace: 'shop' },
    {
      spec: {
        podSelector: { matchLabels: { app: 'web' } },
        port: 'db',
        proxyProtocol: 'opaque',
        accessPolicy: 'all-unauthenticated',
      },
    },
  );

  test.each<[string, readonly object[], readonly string[]]>([
    ['ports that it does not serve', [service('3308')], WITHOUT],
    ['ports in a range that it does not serve', [service('1-3306,3308')], WITHOUT],
    ['the default ports', [service('25,587,3306')], WITHOUT],
    ['ports that it serves', [service('3300-3310')], []],
    ['a port by its name', [service('tcp')], []],
    ['an empty annotation', [service('')], []],
    ['no annotation', [service(null)], []],
    ['ports on which its pods detect protocols', [service('3307'), pods()], PODS],
    ['ports opaque in its pods', [service('3307'), pods({ ...MESHED, [OPAQUE]: '3308' })], []],
    ['ports opaque in its pods by name', [service('3307'), pods({ ...MESHED, [OPAQUE]: 'db' })], []],
    ['ports opaque by the namespace', [service('3307'), space('shop', { ...MESHED, [OPAQUE]: '3308' }), pods({})], []],
    ['ports opaque in its pods by default', [service('3306', { port: 3306 }), pods()], []],
    ['ports opaque by the mesh', [service('3307'), config({ proxy: { opaquePorts: '3308' } }), pods()], []],
    ['ports of pods without opaque ports', [service('3306', { port: 3306 }), pods({ ...MESHED, [OPAQUE]: '' })], PODS],
    ['ports of pods without a proxy', [service('3307'), space('shop'), pods({})], []],
    ['ports of pods that may have no proxy', [service('3307'), pods({})], []],
    ['ports of pods with an opaque Server', [service('3307'), pods(), server], []],
    ['ports of a Service without pods', [service('3307'), workload('Deployment', { annotations: MESHED })], []],
    ['ports of a Service without a selector', [service('3307', undefined, {}), pods()], []],
  ])('are reported if they have no effect: %s', (_, objects, expected) => {
    expect(found(objects).filter((one) => one.includes('opaque-ports'))).toEqual(expected);
  });
});

const ODD: readonly unknown[] = [null, 0, true, '', 'Ünï', [], [null], {}, { a: null }];
const certificate = (name: string, spec: object) =>
  of('cert-manager.io/v1', 'Certificate', { name, namespace: 'linkerd' }, { spec: { secretName: name, ...spec } });
const SOUND: readonly object[] = [
  space('shop', MESHED, EXEMPT),
  job({ annotations: { ...MESHED, [NATIVE]: 'false' } }),
  release('edge-26.4.3'),
  config({ proxy: { nativeSidecar: false }, identity: { issuer: { issuanceLifetime: '24h' } } }),
  certificate('linkerd-identity-issuer', { duration: '48h', issuerRef: { name: 'root' } }),
  certificate('root', { isCA: true, issuerRef: { name: 'self' } }),
  of('cert-manager.io/v1', 'Issuer', { name: 'root', namespace: 'linkerd' }, { spec: { ca: { secretName: 'root' } } }),
  of(
    'v1',
    'Service',
    { name: 'web', namespace: 'shop', annotations: { [OPAQUE]: '80' } },
    { spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 'web' }] } },
  ),
  of(
    'admissionregistration.k8s.io/v1',
    'MutatingWebhookConfiguration',
    { name: 'injector' },
    {
      webhooks: [
        {
          name: 'a.b.c',
          clientConfig: { service: { name: 'linkerd-proxy-injector', namespace: 'linkerd' } },
          namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['b'] }] },
        },
      ],
    },
  ),
];

function pathsIn(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, member]) => pathsIn(member, [...path, key]))];
}

function replaced(value: unknown, [key, ...below]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  const copy = structuredClone(value) as Record<string, unknown>;
  copy[key] = replaced(copy[key], below, by);
  return copy;
}

test.each([
  ['web', ['Deployment shop/web: setting-refused/port-taken']],
  ['linkerd-proxy', []],
])('lint reports a port of the proxy unless its container is the proxy: container %s', (name, expected) => {
  const containers = [{ name, image: 'web:1', ports: [{ containerPort: 9998 }] }];
  const annotations = { 'config.linkerd.io/admin-port': '9998' };
  expect(found([workload('Deployment', { annotations, containers })])).toEqual(expected);
});

test('no rule of lint fails on a field of an unexpected type', () => {
  const places = pathsIn(SOUND).filter(({ length }) => length > 1);
  fc.assert(
    fc.property(fc.constantFrom(...places), fc.constantFrom(...ODD), (path, odd) => {
      expect(found(replaced(SOUND, path, odd) as object[]).filter((one) => one.includes('unchecked'))).toEqual([]);
    }),
    { numRuns: runs(400) },
  );
});
