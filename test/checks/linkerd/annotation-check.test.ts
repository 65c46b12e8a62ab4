import * as fc from 'fast-check';
import type { Severity } from '#base/findings/problem';
import type { Values } from '#base/values';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { checkAnnotations } from '#lib/checks/linkerd/annotation-check';
import { ANNOTATIONS, LABELS, WRITTEN_ANNOTATIONS } from '#lib/checks/linkerd/annotation-table';
import { checkByMesh } from '#lib/checks/linkerd/mesh-settings-check';
import * as keys from '#linkerd/annotations';
import { releaseOf } from '#linkerd/releases/release';
import { facts } from '../../support/findings';

type Entries = Readonly<Record<string, unknown>>;

const pod = (metadata: object) =>
  ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace: 'shop', ...metadata } }) as KubernetesObject;
const workload = (annotations: Entries, own: Entries = {}) =>
  ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', annotations: own },
    spec: { template: { metadata: { annotations }, spec: {} } },
  }) as unknown as KubernetesObject;
const other = (kind: string, metadata: object, fields: object = {}, apiVersion = 'v1') =>
  ({ apiVersion, kind, metadata: { name: 'web', ...metadata }, ...fields }) as unknown as KubernetesObject;

const ofSeverity = (severity: Severity) => (object: KubernetesObject) =>
  checkAnnotations(object, undefined)
    .filter((problem) => problem.severity === severity)
    .map(facts);
const [errors, warnings] = [ofSeverity('error'), ofSeverity('warning')];
const config = (name: string) => `config.linkerd.io/${name}`;

test.each<[name: string, value: string, finding: object]>([
  ['skip-outbound-ports', '3306; 6379', { finding: 'port-refused/range', text: '3306; 6379', example: '3306,6379' }],
  ['skip-outbound-ports', '25;587', { example: '25,587' }],
  ['skip-outbound-ports', '25 587\n465', { example: '25,587,465' }],
  ['skip-outbound-ports', '[25|587]', { example: '25,587' }],
  ['skip-inbound-ports', '80;4000 - 4100', { example: '80,4000-4100' }],
  ['skip-inbound-ports', '4000:4100', { example: '4000-4100' }],
  ['skip-inbound-ports', '5000\u20136000', { example: '5000-6000' }],
  ['skip-inbound-ports', '25;70000', { example: '4000-4100' }],
  ['skip-inbound-ports', '10.1.2.3', { example: '4000-4100' }],
  ['skip-inbound-ports', 'mysql', { finding: 'port-refused/range' }],
  ['opaque-ports', '3306,70000', { finding: 'port-refused/number', field: `${config('opaque-ports')}[1]` }],
  ['opaque-ports', '9-5', { finding: 'port-refused/range', example: '5-9' }],
  ['skip-subnets', '10.0.0.0', { finding: 'address-refused/skipped-subnet', value: '10.0.0.0' }],
  ['proxy-memory-limit', '1Gb', { finding: 'quantity-refused/invalid', quantity: '1Gb' }],
  ['proxy-memory-request', '64m', { finding: 'quantity-refused/fraction' }],
  ['proxy-cpu-request', 'half', { finding: 'quantity-refused/invalid' }],
  ['default-inbound-policy', 'denied', { finding: 'setting-refused/value', value: '"denied"' }],
  ['default-inbound-policy', 'all-unauthenticate', { proposed: 'all-unauthenticated' }],
  ['proxy-await', 'true', { finding: 'setting-refused/value', proposed: 'one of enabled, disabled' }],
  ['proxy-enable-native-sidecar', 'enabled', { finding: 'setting-refused/value', proposed: 'true or false' }],
  ['enable-debug-sidecar', 'yes', { finding: 'setting-refused/value' }],
  ['image-pull-policy', 'always', { finding: 'setting-refused/value', proposed: 'Always' }],
  ['proxy-log-format', 'JSON', { finding: 'setting-refused/value', proposed: 'json' }],
  ['proxy-log-level', 'verbose', { finding: 'log-filter-refused' }],
  ['shutdown-grace-period', '2 minutes', { finding: 'setting-refused/value' }],
  ['close-wait-timeout', '3600', { finding: 'setting-refused/value' }],
  ['proxy-uid', '0', { finding: 'control-plane-value-refused/proxy-user', value: 0 }],
  ['proxy-gid', 'app', { finding: 'control-plane-value-refused/proxy-user' }],
  ['admin-port', 'admin', { finding: 'port-refused/number' }],
  ['proxy-cpu-ratio-limit', '50%', { finding: 'setting-refused/cpu-ratio' }],
  ['proxy-version', 'edge 26', { finding: 'injected-value-refused/text' }],
  ['proxy-image', 'linkerd/proxy:1', { finding: 'injected-value-refused/text' }],
  ['proxy-additional-env', 'A=b', { finding: 'setting-refused/value' }],
  ['proxy-additional-env', '[{"value":"b"}]', { finding: 'injected-value-refused/variable' }],
])('checkAnnotations refuses config.linkerd.io/%s: %s, on pods, templates and namespaces', (name, value, finding) => {
  const annotations = { [config(name)]: value };
  for (const object of [pod({ annotations }), workload(annotations), other('Namespace', { annotations })]) {
    expect(errors(object)).toMatchObject([finding]);
  }
});

test('checkAnnotations refuses a unit where the injector reads whole seconds', () => {
  const key = keys.PROXY_WAIT_BEFORE_EXIT_SECONDS;
  expect(errors(pod({ annotations: { [key]: '40s' } }))).toMatchObject([{ finding: 'setting-refused/value' }]);
});

test.each([
  ['opaque-ports', 'mysql,3306, 4000-4100'],
  ['opaque-ports', ''],
  ['skip-outbound-ports', ''],
  ['proxy-cpu-limit', ''],
  ['enable-gateway', 'T'],
  ['shutdown-grace-period', '1m30s'],
  ['proxy-log-http-headers', 'insecure'],
])('checkAnnotations accepts config.linkerd.io/%s: "%s"', (name, value) =>
  expect(errors(pod({ annotations: { [config(name)]: value } }))).toEqual([]),
);

test('checkAnnotations checks the opaque ports of a Service', () => {
  const service = (value: string) => other('Service', { annotations: { [keys.OPAQUE_PORTS]: value } });
  expect(errors(service('3306'))).toEqual([]);
  expect(errors(service('3306 6379'))).toMatchObject([{ finding: 'port-refused/range' }]);
});

test.each([
  ['config.linkerd.io/opaque-port', 'config.linkerd.io/opaque-ports'],
  ['config.linkerd.io/inject', 'linkerd.io/inject'],
  ['linkerd.io/skip-outbound-ports', 'config.linkerd.io/skip-outbound-ports'],
  ['config.alpha.linkerd.io/proxy-await', 'config.linkerd.io/proxy-await'],
  ['config.linkerd.io/proxy-wait-before-exit-seconds', 'config.alpha.linkerd.io/proxy-wait-before-exit-seconds'],
  ['linkerd.io/injected', 'linkerd.io/inject'],
])('checkAnnotations refuses %s and proposes %s', (annotation, similar) =>
  expect(errors(workload({ [annotation]: 'x' }))).toMatchObject([
    { finding: 'annotation-unknown', annotation, similar },
  ]),
);

test('checkAnnotations reports every known key with an additional or a missing letter', () => {
  const known = [...ANNOTATIONS.keys()];
  void fc.assert(
    fc.property(fc.constantFrom(...known), fc.nat(), fc.boolean(), (key, at, longer) => {
      const name = key.slice(key.indexOf('/') + 1);
      const index = at % name.length;
      const wrong = longer
        ? `${name.slice(0, index)}x${name.slice(index)}`
        : name.slice(0, index) + name.slice(index + 1);
      const annotation = key.replace(name, wrong);
      return ANNOTATIONS.has(annotation) || errors(pod({ annotations: { [annotation]: 'x' } })).length > 0;
    }),
  );
});

test('checkAnnotations refuses a proxy’s request above its limit', () =>
  expect(errors(workload({ [keys.PROXY_CPU_REQUEST]: '1', [keys.PROXY_CPU_LIMIT]: '100m' }))).toMatchObject([
    { finding: 'request-over-limit/annotations', field: keys.PROXY_CPU_REQUEST, limitField: keys.PROXY_CPU_LIMIT },
  ]));

test.each([keys.MIRROR_EXPORTED, keys.MIRROR_FEDERATED, keys.ADMISSION_WEBHOOKS, keys.RECONCILE])(
  'checkAnnotations refuses the label %s among annotations',
  (key) => {
    const annotated = (labels: Entries) => other('Service', { annotations: { [key]: 'true' }, labels });
    expect(errors(annotated({}))).toMatchObject([{ finding: 'annotation-misplaced/annotation', key }]);
    expect(errors(annotated({ [key]: 'true' }))).toEqual([]);
  },
);

test.each([keys.INJECT, keys.OPAQUE_PORTS, keys.PROXY_CPU_LIMIT])(
  'checkAnnotations refuses the annotation %s among labels',
  (key) => {
    const labelled = (annotations: Entries) => other('Namespace', { labels: { [key]: 'a' }, annotations });
    expect(errors(labelled({}))).toMatchObject([{ finding: 'annotation-misplaced/label', key }]);
    expect(errors(labelled({ [key]: '' }))).toEqual([]);
  },
);

test('checkAnnotations proposes the nearest key for a label with a typo', () =>
  expect(errors(other('Namespace', { labels: { 'config.linkerd.io/admission-webhook': 'disabled' } }))).toMatchObject([
    { finding: 'annotation-unknown/label', similar: keys.ADMISSION_WEBHOOKS },
  ]));

test('checkAnnotations warns of annotations that Linkerd does not read on the object', () => {
  expect(warnings(pod({ annotations: { 'config.linkerd.io/frobnicate': 'a' } }))).toMatchObject([
    { finding: 'annotation-without-effect', annotation: 'config.linkerd.io/frobnicate' },
  ]);
  expect(warnings(workload({}, { [keys.INJECT]: 'enabled' }))).toMatchObject([
    { finding: 'annotation-without-effect/object', place: 'spec.template.metadata.annotations' },
  ]);
  expect(warnings(workload({ [keys.INJECT]: 'enabled' }, { [keys.INJECT]: 'enabled' }))).toEqual([]);
  expect(warnings(other('Service', { annotations: { [keys.SKIP_OUTBOUND_PORTS]: '25' } }))).toMatchObject([
    { finding: 'annotation-without-effect/object' },
  ]);
});

test('checkAnnotations searches custom resources for annotations', () => {
  const rollout = (annotations: Entries) =>
    other('Cluster', { namespace: 'shop' }, { spec: { template: { podAnnotations: annotations } } }, 'example.com/v1');
  expect(errors(rollout({ [keys.SKIP_OUTBOUND_PORTS]: 'a b' }))).toMatchObject([{ finding: 'port-refused/range' }]);
  expect(errors(rollout({ [keys.SKIP_OUTBOUND_PORTS]: 3306 }))).toMatchObject([{ finding: 'metadata-refused/type' }]);
  expect(errors(rollout({ 'config.linkerd.io/opaque-port': '1' }))).toMatchObject([{ finding: 'annotation-unknown' }]);
});

describe('checkAnnotations, for injection modes,', () => {
  const namespace = (mode: unknown) => other('Namespace', { annotations: { [keys.INJECT]: mode } });

  test.each(['enabled', 'disabled', 'ingress', ''])('accepts %j', (mode) =>
    expect(errors(namespace(mode))).toEqual([]),
  );

  test.each([
    ['enable', 'enabled'],
    ['Disabled', 'disabled'],
    ['true', 'enabled or disabled or ingress'],
  ])('refuses %j and proposes %s', (mode, proposed) =>
    expect(errors(namespace(mode))).toMatchObject([
      { finding: 'control-plane-value-refused/inject-mode', annotation: keys.INJECT, mode: `"${mode}"`, proposed },
    ]),
  );

  test.each([
    ['Server', 'policy.linkerd.io/v1beta3'],
    ['AuthorizationPolicy', 'policy.linkerd.io/v1alpha1'],
    ['HTTPRoute', 'gateway.networking.k8s.io/v1'],
    ['ConfigMap', 'v1'],
    ['Service', 'v1'],
    ['HelmRelease', 'helm.toolkit.fluxcd.io/v2'],
    ['Widget', 'example.com/v1'],
  ])('ignores values on a %s, which the injector does not read', (kind, apiVersion) => {
    const annotations = { [keys.INJECT]: 'enabeld', [config('skip-outbound-ports')]: '25;587' };
    expect(errors(other(kind, { namespace: 'a', annotations }, {}, apiVersion))).toEqual([]);
  });

  test('reads opaque ports of Services', () => {
    expect(errors(other('Service', { annotations: { [config('opaque-ports')]: '25;587' } }))).toMatchObject([
      { finding: 'port-refused/range', example: '25,587' },
    ]);
  });

  test('reads pod templates at any depth', () => {
    const template = { metadata: { annotations: { [keys.INJECT]: 'on' } }, spec: {} };
    const job = other('CronJob', {}, { spec: { jobTemplate: { spec: { template } } } }, 'batch/v1');
    expect(errors(job)).toMatchObject([{ finding: 'control-plane-value-refused/inject-mode', mode: '"on"' }]);
  });
});

test.each<
  [version: 'stable-2.14.10' | 'edge-25.10.7' | 'edge-26.8.3', annotations: Record<string, string>, finding: string]
>([
  ['stable-2.14.10', { [keys.PROXY_GID]: '2103' }, 'setting-unsupported'],
  ['stable-2.14.10', { [keys.PROXY_CPU_RATIO_LIMIT]: '0.5' }, 'setting-unsupported/cpu-ratio'],
  ['stable-2.14.10', { [keys.DEFAULT_INBOUND_POLICY]: 'audit' }, 'setting-unsupported/audit'],
  ['stable-2.14.10', { [keys.DEFAULT_INBOUND_POLICY]: 'deny' }, ''],
  ['stable-2.14.10', { [keys.NATIVE_SIDECAR_ALPHA]: 'true' }, 'setting-unsupported/native-sidecar'],
  ['edge-25.10.7', { [keys.NATIVE_SIDECAR]: 'true' }, 'setting-unsupported/sidecar-key'],
  ['edge-25.10.7', { [keys.NATIVE_SIDECAR_BETA]: 'true' }, ''],
  ['edge-26.8.3', { [keys.NATIVE_SIDECAR_ALPHA]: 'true' }, ''],
  ['edge-26.8.3', { [keys.PROXY_VERSION]: 'edge-25.10.7' }, 'component-release-differs/image'],
  ['edge-26.8.3', { [keys.DEBUG_IMAGE_VERSION]: 'enterprise-2.15.2' }, 'component-release-differs/image'],
  ['edge-26.8.3', { [keys.PROXY_VERSION]: 'edge-26.8.3' }, ''],
  ['edge-26.8.3', { [keys.INIT_IMAGE]: 'init' }, 'setting-unsupported/init-image'],
])('checkAnnotations for %s with %j reports: %j', (version, annotations, finding) => {
  const injector = { version, features: releaseOf(version).groups.injector };
  const found = checkAnnotations(pod({ annotations }), injector).map(facts);
  expect(found).toMatchObject(finding === '' ? [] : [{ finding }]);
});

test('the table of annotations has a row for every key of Linkerd', () => {
  const known = [...ANNOTATIONS.keys(), ...LABELS, ...WRITTEN_ANNOTATIONS];
  const all = Object.values(keys).filter((key) => /linkerd\.io\//.test(key));
  expect(all.filter((key) => !known.includes(key))).toEqual([]);
});

test('checkAnnotations warns about settings that pods do not inherit from their namespace', () => {
  const annotations = {
    [keys.INJECT]: 'enabled',
    [keys.PROXY_CPU_RATIO_LIMIT]: '0.5',
    [keys.CLOSE_WAIT_TIMEOUT]: '30s',
    [keys.DEBUG_IMAGE]: 'debug',
    [keys.PROXY_LOG_LEVEL]: 'info',
    'resource.opentelemetry.io/deployment.environment': 'prod',
  };
  const withoutEffect = (object: KubernetesObject) => warnings(object).map(({ annotation }) => annotation);
  expect(withoutEffect(other('Namespace', { annotations }))).toEqual([
    keys.PROXY_CPU_RATIO_LIMIT,
    keys.CLOSE_WAIT_TIMEOUT,
    keys.DEBUG_IMAGE,
    'resource.opentelemetry.io/deployment.environment',
  ]);
  expect(withoutEffect(workload(annotations))).toEqual([]);
  for (const inject of [undefined, 'disabled']) {
    const unmeshed = other('Namespace', { annotations: { ...annotations, [keys.INJECT]: inject } });
    expect(withoutEffect(unmeshed)).toHaveLength(3);
  }
});

const PORT = {
  inbound: config('inbound-port'),
  outbound: config('outbound-port'),
  admin: config('admin-port'),
  control: config('control-port'),
};
const MESH = { proxy: { ports: { inbound: 4143, outbound: 4140, admin: 4191, control: 4190 } } };

test.each<[string, Entries, Entries, readonly string[]]>([
  ['both on the pod', { [PORT.inbound]: '5000', [PORT.admin]: '5000' }, {}, [`${PORT.inbound} and ${PORT.admin}`]],
  ['pod and mesh', { [PORT.inbound]: '4191' }, {}, [`${PORT.inbound} and proxy.ports.admin of the mesh`]],
  [
    'pod and Namespace',
    { [PORT.control]: '5000' },
    { [PORT.admin]: '5000' },
    [`${PORT.admin} of the Namespace and ${PORT.control}`],
  ],
  ['both on the Namespace', { [PORT.control]: '1' }, { [PORT.admin]: '5000', [PORT.inbound]: '5000' }, []],
  ['exchanged ports', { [PORT.admin]: '4190', [PORT.control]: '4191' }, {}, []],
  ['the port of a container', { [PORT.admin]: '8080' }, {}, [PORT.admin]],
  ['the port of a container, by UDP', { [PORT.admin]: '9090' }, {}, []],
  ['the same port of the pod and of the mesh', { [PORT.admin]: '4191' }, {}, []],
  ['an invalid port', { [PORT.admin]: 'admin', [PORT.inbound]: '' }, {}, []],
  [
    'two pairs',
    { [PORT.inbound]: '4140', [PORT.admin]: '4190' },
    {},
    [`${PORT.inbound} and proxy.ports.outbound of the mesh`, `${PORT.admin} and proxy.ports.control of the mesh`],
  ],
])('checkByMesh detects equal ports of a proxy: %s', (_, annotations, ofNamespace, fields) => {
  const context = { values: () => MESH, namespaces: new Map([['shop', ofNamespace]]) };
  const containers = [{ name: 'app', ports: [{ containerPort: 8080 }, { containerPort: 9090, protocol: 'UDP' }] }];
  const ofPod = { ...pod({ annotations }), spec: { containers } } as KubernetesObject;
  for (const object of [ofPod, workload(annotations)]) {
    const found = checkByMesh(object, context).map(({ parameters = {} }) => parameters.fields ?? parameters.field);
    const isWithContainers = object === ofPod || fields[0] !== PORT.admin;
    expect(found).toEqual(isWithContainers ? fields : []);
  }
});

describe('with the CNI plugin, checkByMesh reports', () => {
  const cni = { ...MESH, cniEnabled: true, proxyInit: { runAsRoot: true } };
  const settings = (values: Values, ofNamespace = {}) => ({
    values: () => values,
    namespaces: new Map([['shop', ofNamespace]]),
  });
  const causes = (object: KubernetesObject, values: Values, ofNamespace = {}) =>
    checkByMesh(object, settings(values, ofNamespace)).map(({ cause }) => cause);
  const CLOSE_WAIT = 'config.linkerd.io/close-wait-timeout';

  test('ports to which the plugin redirects no traffic, where they are set', () => {
    const moved = { [PORT.inbound]: '5143', [PORT.outbound]: '5140' };
    expect(causes(workload(moved), cni)).toEqual(['cni-port', 'cni-port']);
    expect(causes(other('Namespace', { annotations: moved }), cni)).toEqual(['cni-port', 'cni-port']);
    expect(causes(workload({ [PORT.admin]: '5191' }), cni, moved)).toEqual([]);
    expect(causes(workload({ [PORT.inbound]: '4143', [PORT.admin]: '5191' }), cni)).toEqual([]);
    expect(causes(workload(moved), MESH)).toEqual([]);
    const written = { ...cni, proxy: { ports: { inbound: '4143', outbound: null } } };
    expect(causes(workload({ [PORT.inbound]: '4143', [PORT.outbound]: '5140' }), written)).toEqual([]);
    expect(causes(workload(moved), written)).toEqual(['cni-port']);
  });

  test.each<[string, Values, readonly string[]]>([
    ['30s', cni, ['close-wait-cni']],
    ['30s', { proxyInit: { runAsRoot: false } }, ['close-wait-timeout']],
    ['30s', { proxyInit: { runAsRoot: true } }, []],
    ['30s', {}, []],
    ['0s', cni, []],
    ['500ms', cni, []],
    ['', cni, []],
    ['soon', cni, []],
  ])('a timeout that no init container sets: %j with %j', (timeout, values, expected) => {
    expect(causes(workload({ [CLOSE_WAIT]: timeout }), values)).toEqual(expected);
    expect(causes(workload({ [CLOSE_WAIT]: timeout, [keys.INJECT]: 'disabled' }), values)).toEqual([]);
    expect(causes(pod({ annotations: {} }), values, { [CLOSE_WAIT]: timeout })).toEqual([]);
    expect(causes(other('Namespace', { annotations: { [CLOSE_WAIT]: timeout } }), values)).toEqual([]);
  });
});

test('checkByMesh compares the ports of a Namespace with those of the mesh, and reports the Namespace', () => {
  const annotations = { [PORT.admin]: '4143' };
  const context = { values: () => MESH, namespaces: new Map([['web', annotations]]) };
  expect(checkByMesh(other('Namespace', { annotations }), context)).toMatchObject([
    { code: 'injected-value-refused', place: 'Namespace web: metadata.annotations' },
  ]);
  const inside = pod({ namespace: 'web', annotations: {} });
  expect(checkByMesh(inside, context)).toEqual([]);
});
