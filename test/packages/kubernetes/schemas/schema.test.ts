import fc from 'fast-check';
import type { Problem } from '#base/findings/problem';
import type { Values } from '#base/values';
import { checkObject, checkValues, hasSchema } from '#kubernetes/schemas/schema';
import type { PinnedChart } from '#linkerd/charts/pinned-chart';

const CONTROL_PLANE: PinnedChart = {
  name: 'linkerd-control-plane',
  version: '2026.8.3',
  repository: 'https://helm.linkerd.io/edge',
  valuesOf: 'edge-26.8.3',
  kinds: [],
  foreignNamespaces: [],
};

function values(more: Values): readonly Problem[] {
  return checkValues(CONTROL_PLANE, more);
}

function certificate(spec: object): readonly Problem[] {
  const metadata = { name: 'a', namespace: 'linkerd' };
  const whole = { secretName: 's', issuerRef: { name: 'i' }, ...spec };
  return checkObject({ apiVersion: 'cert-manager.io/v1', kind: 'Certificate', metadata, spec: whole });
}

function podSpec(fields: object): readonly Problem[] {
  const spec = { selector: {}, template: { spec: { containers: [{ name: 'a', ...fields }] } } };
  return checkObject({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' }, spec });
}

const refused = (cause: string, parameters: object) => ({ code: 'field-refused', cause, parameters });

describe('checkObject', () => {
  test('accepts an object that fits its schema', () => expect(certificate({ duration: '48h' })).toEqual([]));

  test.each([
    ['unknown', { renewBfore: '24h' }, { field: 'spec.renewBfore', remedy: 'meant', hint: 'spec.renewBefore' }],
    ['type', { renewBefore: 24 }, { field: 'spec.renewBefore', value: '24', expected: 'string', remedy: 'quote' }],
    ['not-supported', { privateKey: { algorithm: 'ecdsa' } }, { remedy: 'meant', hint: '"ECDSA"' }],
    [
      'not-supported',
      { privateKey: { algorithm: 'secp256' } },
      {
        field: 'spec.privateKey.algorithm',
        value: '"secp256"',
        supported: '"RSA", "ECDSA", "Ed25519"',
        remedy: 'correct',
      },
    ],
  ])('refuses a mistake of kind %s, and proposes the nearest correction: %j', (cause, spec, parameters) => {
    expect(certificate(spec)).toMatchObject([{ ...refused(cause, parameters), place: 'Certificate linkerd/a' }]);
  });

  test('names a required field that is missing', () => {
    expect(checkObject({ apiVersion: 'cert-manager.io/v1', kind: 'Issuer' })).toMatchObject([
      { ...refused('required', { field: 'spec' }), place: 'Issuer' },
    ]);
  });

  test('reports a mistyped required field once', () => {
    const spec = { secretName: 's', issuerref: { name: 'i' } };
    expect(checkObject({ apiVersion: 'cert-manager.io/v1', kind: 'Certificate', spec })).toMatchObject([
      refused('unknown', { field: 'spec.issuerref', remedy: 'meant', hint: 'spec.issuerRef' }),
    ]);
  });

  test('reports each of several mistakes', () => {
    const problems = certificate({ isCA: 'true', usages: ['any', 'sign', 'all'], privateKey: { size: 1, siz: 2 } });
    expect(problems).toMatchObject([
      refused('type', { field: 'spec.isCA', value: '"true"', expected: 'boolean' }),
      refused('unknown', { field: 'spec.privateKey.siz' }),
      refused('not-supported', { field: 'spec.usages[1]', value: '"sign"' }),
      refused('not-supported', { field: 'spec.usages[2]', value: '"all"' }),
    ]);
  });

  test('shows the wrong value, not the object around it', () => {
    const field = 'spec.template.spec.containers[0].ports[0].containerPort';
    expect(podSpec({ ports: [{ containerPort: 'http' }] })).toMatchObject([
      { place: 'Deployment d', parameters: { field, value: '"http"', expected: 'integer' } },
    ]);
  });

  test('accepts whole numbers and strings in fields of Kubernetes that allow both', () => {
    const probe = (port: unknown) => podSpec({ readinessProbe: { httpGet: { port } } });
    expect(probe(80)).toEqual([]);
    expect(probe('http')).toEqual([]);
    expect(probe(true)).toMatchObject([{ parameters: { value: 'true', expected: 'integer, string' } }]);
  });

  test('accepts numbers as quantities', () => {
    expect(podSpec({ resources: { limits: { cpu: 0.5, memory: '1Gi' } } })).toEqual([]);
  });

  test('reports alternatives of a schema once', () => {
    const server = { apiVersion: 'policy.linkerd.io/v1alpha1', kind: 'Server', spec: { port: 80, podSelector: {} } };
    const expected = 'matchExpressions, matchLabels';
    expect(checkObject(server)).toMatchObject([
      refused('invalid', { field: 'spec.podSelector', rule: 'schema-one-field', expected }),
    ]);
  });

  test('refuses a status', () => {
    const object = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' }, status: { loadBalancer: {} } };
    expect(checkObject(object)).toMatchObject([
      refused('unknown', { field: 'status', remedy: 'remove', hint: 'apiVersion, kind, metadata, spec' }),
    ]);
  });

  test('refuses unknown metadata, and metadata that API servers write', () => {
    const metadata = { name: 'a', label: {}, creationTimestamp: '2026-01-01T00:00:00Z' };
    expect(checkObject({ apiVersion: 'v1', kind: 'ConfigMap', metadata })).toMatchObject([
      { parameters: { field: 'metadata.label', remedy: 'meant', hint: 'metadata.labels' } },
      { parameters: { field: 'metadata.creationTimestamp', remedy: 'remove' } },
    ]);
  });

  test.each([
    [{ apiVersion: 'example.com/v1', kind: 'Widget' }],
    [{ apiVersion: 'v1', kind: 'toString' }],
    ['text'],
    [null],
  ])('ignores an object of an unknown kind: %j', (object) => {
    expect(hasSchema(object)).toBe(false);
    expect(checkObject(object)).toEqual([]);
  });

  test('has schemas only for served versions of a kind', () => {
    expect(hasSchema({ apiVersion: 'apps/v1', kind: 'Deployment' })).toBe(true);
    expect(hasSchema({ apiVersion: 'apps/v1beta1', kind: 'Deployment' })).toBe(false);
  });
});

describe('checkValues', () => {
  test('accepts values that the chart reads', () => {
    expect(values({ proxy: { logLevel: 'info' }, podAnnotations: { 'example.com/a': 'b' } })).toEqual([]);
  });

  test('accepts null at any key', () => {
    expect(values({ proxy: { resources: null, logFormat: null }, nodeSelector: { 'kubernetes.io/os': null } })).toEqual(
      [],
    );
  });

  test('refuses a key that the chart does not read, and proposes the right one', () => {
    const chart = 'linkerd-control-plane 2026.8.3';
    expect(values({ proxy: { resource: { cpu: { limit: '1' } } } })).toMatchObject([
      {
        code: 'chart-value-refused',
        cause: 'unknown',
        about: 'values.proxy.resource',
        parameters: { path: 'proxy.resource', chart, remedy: 'meant', hint: 'proxy.resources' },
      },
    ]);
  });

  test.each([
    ['a key in the wrong case', { proxyinit: {} }, 'proxyInit'],
    ['part of a key', { proxy: { tracing: { collector: { identity: {} } } } }, 'proxy.tracing.collector.meshIdentity'],
    ['a key of another level', { nativeSidecar: true }, 'proxy.nativeSidecar'],
    ['a key of two other levels', { tracing: { enabled: true } }, 'controller.tracing or proxy.tracing'],
    ['a misspelt key with the prefix of a component', { spValidatorResource: {} }, 'spValidatorResources'],
    ['a key of the level below', { proxy: { cpu: { request: '1' } } }, 'proxy.resources.cpu'],
    ['a key two levels below', { proxy: { cpuLimit: '1' } }, 'proxy.resources.cpu.limit'],
    ['a key of the level above', { proxy: { webhookFailurePolicy: 'Fail' } }, 'webhookFailurePolicy'],
    ["Kubernetes' requests", { proxy: { resources: { requests: { cpu: '1' } } } }, 'proxy.resources.cpu.request'],
    [
      "Kubernetes' limits of two resources",
      { proxy: { resources: { limits: { cpu: '1', memory: '1Gi' } } } },
      'proxy.resources.cpu.limit and proxy.resources.memory.limit',
    ],
    ['a key of a quota', { proxy: { resources: { 'requests.memory': '1Gi' } } }, 'proxy.resources.memory.request'],
    ["Kubernetes' resources, partly", { proxy: { limits: { gpu: '1', cpu: '1' } } }, 'proxy.resources.cpu.limit'],
    [
      "Kubernetes' limit of an unsupported resource",
      { proxy: { resources: { limits: { gpu: '1' } } } },
      /proxy\.resources\.cpu\.limit or proxy\.resources\.memory\.limit/,
    ],
    [
      "Kubernetes' requests that are null",
      { proxy: { requests: null } },
      'proxy.resources.cpu.request and proxy.resources.memory.request',
    ],
  ])('proposes the right key for %s', (_what, wrong, right) => {
    const hint = typeof right === 'string' ? right : expect.stringMatching(right);
    expect(values(wrong as unknown as Values)).toMatchObject([
      { code: 'chart-value-refused', cause: 'unknown', parameters: { remedy: 'meant', hint } },
    ]);
  });

  test.each([
    ['exists only in unrelated branches', { identity: { requests: { cpu: '1' } } }],
    ['exists in many branches', { cpu: '1' }],
    ['resembles a key of an unrelated branch', { identity: { logLvl: 'info' } }],
  ])('proposes no key that %s', (_what, wrong) => {
    expect(values(wrong as unknown as Values)).toMatchObject([
      { code: 'chart-value-refused', cause: 'unknown', parameters: { remedy: 'remove' } },
    ]);
  });

  test('proposes to remove a key that resembles no other', () => {
    expect(values({ egress: { zzz: 1 } })).toMatchObject([
      { parameters: { path: 'egress.zzz', remedy: 'remove', hint: 'globalEgressNetworkNamespace' } },
    ]);
  });

  const misfit = (path: string, is: string, [value, expected]: readonly [string, string]) => ({
    path,
    is,
    value,
    expected,
  });

  test.each<[wrong: Values, misfit: object, remedy: string, hint: string]>([
    [{ highAvailability: 'true' }, misfit('highAvailability', 'type', ['"true"', 'boolean']), 'unquote', 'true'],
    [{ controllerReplicas: '3' }, misfit('controllerReplicas', 'type', ['"3"', 'integer']), 'unquote', '3'],
    [{ tolerations: { key: 'a' } }, misfit('tolerations', 'type', ['{"key":"a"}', 'array']), 'list', ''],
    [{ proxy: 'x' }, misfit('proxy', 'type', ['"x"', 'object']), 'correct', ''],
    [
      { proxy: { ports: { admin: 70000 } } },
      misfit('proxy.ports.admin', 'schema-keyword', ['70000', 'must be <= 65535']),
      'correct',
      '',
    ],
    [
      { identity: { issuer: { issuanceLifetime: '1d' } } },
      misfit('identity.issuer.issuanceLifetime', 'schema-description', ['"1d"', 'a Go duration such as 24h0m0s']),
      'correct',
      '',
    ],
    [
      { webhookFailurePolicy: 'fail' },
      misfit('webhookFailurePolicy', 'unsupported', ['"fail"', '"Ignore", "Fail"']),
      'meant',
      '"Fail"',
    ],
  ])('refuses a value of the wrong type: %j', (wrong, expected, remedy, hint) => {
    expect(values(wrong)).toMatchObject([
      { code: 'chart-value-refused', cause: 'invalid', parameters: { ...expected, remedy, hint } },
    ]);
  });

  test('checks values that the chart passes on as types of Kubernetes', () => {
    expect(values({ tolerations: [{ key: 'a', efect: 'NoSchedule' }] })).toMatchObject([
      {
        code: 'chart-value-refused',
        cause: 'unknown',
        parameters: { path: 'tolerations[0].efect', remedy: 'meant', hint: 'tolerations[0].effect' },
      },
    ]);
  });

  test('shortens long values in messages', () => {
    expect(values({ podLabels: 'x'.repeat(99) })).toMatchObject([{ what: expect.stringMatching(/^.{20,100}$/) }]);
  });

  test('ignores the values of a chart without a schema', () => {
    expect(checkValues({ ...CONTROL_PLANE, name: 'podinfo' }, { a: 1 })).toEqual([]);
  });
});

test('checkObject does not show the contents of a Secret', () => {
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a', namespace: 'b' } };
  const whats = (fields: object) => checkObject({ ...secret, ...fields }).map(({ what }) => what);
  const wrong = whats({ data: { key: 20_261_122 }, stringData: { other: { name: 'hunter2' } } });
  expect(wrong).toEqual([expect.stringMatching(/^data\.key is /), expect.stringMatching(/^stringData\.other is /)]);
  expect(JSON.stringify([wrong, whats({ data: 'hunter2' })])).not.toMatch(/20261122|hunter2/);
  expect(whats({ data: 'hunter2' })).toHaveLength(1);
  expect(whats({ data: { key: 'aGk=' }, stringData: { other: 'hunter2' } })).toEqual([]);
});

const SECRET_NAME = fc.constantFrom('DB_PASSWORD', 'api-key', 'token', 'GITHUB_TOKEN', 'PGPASS', 'clientSecret');
const LEAK = 9_021_077_731;
const LEAKS = fc.constantFrom<unknown>(LEAK, -LEAK, [LEAK], [`${LEAK}`], [[LEAK]], { a: LEAK }, { [LEAK]: true }, [
  { a: [LEAK] },
]);

test.each<[string, (name: string, value: unknown) => readonly Problem[]]>([
  ['env', (name, value) => podSpec({ env: [{ name, value }] })],
  [
    'env with another variable',
    (name, value) =>
      podSpec({
        env: [
          { name: 'A', value: 'a' },
          { value, name },
        ],
      }),
  ],
  ['env as a map', (name, value) => podSpec({ env: { [name]: value } })],
  ['env as a list of lists', (name, value) => podSpec({ env: [[{ name, value }]] })],
  ['containers as a map', (name, value) => podSpec({ env: 'a', ports: { env: [{ name, value }] } })],
  ['envFrom', (name, value) => podSpec({ envFrom: { [name]: value } })],
  ['headers', (name, value) => podSpec({ livenessProbe: { httpGet: { port: 1, httpHeaders: [{ name, value }] } } })],
  ['arguments', (name, value) => podSpec({ args: [`--${name}`, Array.isArray(value) ? LEAK : value] })],
  [
    'a ConfigMap',
    (name, value) =>
      checkObject({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { [name]: value } }),
  ],
  ['a password of a keystore', (_, value) => certificate({ keystores: { jks: { create: true, password: value } } })],
  ['values of a chart', (name, value) => values({ proxy: { additionalEnv: [{ name, value }] as never } })],
])('messages do not show values with the name of a secret: %s', (_, problems) => {
  fc.assert(
    fc.property(SECRET_NAME, LEAKS, (name, value) => {
      expect(JSON.stringify(problems(name, value))).not.toContain(`${LEAK}`);
    }),
    { numRuns: 40 },
  );
});

test('a message reports that it hides a value', () => {
  expect(podSpec({ env: [{ name: 'DB_PASSWORD', value: LEAK }] }).map(({ what }) => what)).toEqual([
    'spec.template.spec.containers[0].env[0].value is a value that is hidden here, not a string',
  ]);
});
