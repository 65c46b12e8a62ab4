import type { Problem } from '#base/findings/problem';
import type { Values } from '#base/values';
import type { PinnedChart } from '#lib/charts/pinned-chart';
import { checkObject, checkValues, hasSchema } from '#lib/kubernetes/schemas/schema';

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
  const object = {
    apiVersion: 'cert-manager.io/v1',
    kind: 'Certificate',
    metadata: { name: 'a', namespace: 'linkerd' },
  };
  return checkObject({ ...object, spec: { secretName: 's', issuerRef: { name: 'i' }, ...spec } });
}

function podSpec(spec: object): readonly Problem[] {
  const template = { spec: { containers: [], ...spec } };
  return checkObject({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd' },
    spec: { selector: {}, template },
  });
}

describe('an object', () => {
  test('that fits its kind has no problems', () => {
    expect(certificate({ duration: '48h' })).toEqual([]);
  });

  test('with a mistyped field is told the right one, and what becomes of it', () => {
    expect(certificate({ renewBfore: '24h' })).toMatchObject([
      {
        code: 'field-refused',
        cause: 'unknown',
        place: 'Certificate linkerd/a',
        parameters: { field: 'spec.renewBfore', remedy: 'meant', hint: 'spec.renewBefore' },
      },
    ]);
  });

  test('with a value of the wrong type is shown it', () => {
    expect(certificate({ renewBefore: 24 })).toMatchObject([
      {
        code: 'field-refused',
        cause: 'type',
        place: 'Certificate linkerd/a',
        parameters: {
          field: 'spec.renewBefore',
          value: '24',
          expected: 'string',
          remedy: 'quote',
        },
      },
    ]);
  });

  test('with a value that is not among the allowed ones is told the nearest, else all', () => {
    expect(certificate({ privateKey: { algorithm: 'ecdsa' } })).toMatchObject([
      { parameters: { remedy: 'meant', hint: '"ECDSA"' } },
    ]);
    expect(certificate({ privateKey: { algorithm: 'secp256' } })).toMatchObject([
      {
        code: 'field-refused',
        cause: 'not-supported',
        parameters: {
          field: 'spec.privateKey.algorithm',
          value: '"secp256"',
          supported: '"RSA", "ECDSA", "Ed25519"',
          remedy: 'correct',
        },
      },
    ]);
  });

  test('without a required field is told it', () => {
    expect(checkObject({ apiVersion: 'cert-manager.io/v1', kind: 'Issuer' })).toMatchObject([
      { code: 'field-refused', cause: 'required', place: 'Issuer', parameters: { field: 'spec' } },
    ]);
  });

  test('that misses a field because it was mistyped has one problem, not two', () => {
    const spec = { secretName: 's', issuerref: { name: 'i' } };
    expect(checkObject({ apiVersion: 'cert-manager.io/v1', kind: 'Certificate', spec })).toMatchObject([
      {
        code: 'field-refused',
        cause: 'unknown',
        place: 'Certificate',
        parameters: { field: 'spec.issuerref', remedy: 'meant', hint: 'spec.issuerRef' },
      },
    ]);
  });

  test('with several mistakes gets a problem for each', () => {
    const problems = certificate({ isCA: 'true', usages: ['any', 'sign', 'all'], privateKey: { size: 1, siz: 2 } });
    expect(problems).toMatchObject([
      {
        code: 'field-refused',
        cause: 'type',
        parameters: { field: 'spec.isCA', value: '"true"', expected: 'boolean' },
      },
      { code: 'field-refused', cause: 'unknown', parameters: { field: 'spec.privateKey.siz' } },
      { code: 'field-refused', cause: 'not-supported', parameters: { field: 'spec.usages[1]', value: '"sign"' } },
      { code: 'field-refused', cause: 'not-supported', parameters: { field: 'spec.usages[2]', value: '"all"' } },
    ]);
  });

  test('is shown deep values, not what is around them', () => {
    expect(podSpec({ containers: [{ name: 'a', ports: [{ containerPort: 'http' }] }] })).toMatchObject([
      {
        place: 'Deployment d',
        parameters: {
          field: 'spec.template.spec.containers[0].ports[0].containerPort',
          value: '"http"',
          expected: 'integer',
        },
      },
    ]);
  });

  test('may have whole numbers and strings where Kubernetes reads both', () => {
    const probe = (port: unknown) => podSpec({ containers: [{ name: 'a', readinessProbe: { httpGet: { port } } }] });
    expect(probe(80)).toEqual([]);
    expect(probe('http')).toEqual([]);
    expect(probe(true)).toMatchObject([{ parameters: { value: 'true', expected: 'integer, string' } }]);
  });

  test('may have quantities as numbers', () => {
    expect(podSpec({ containers: [{ name: 'a', resources: { limits: { cpu: 0.5, memory: '1Gi' } } }] })).toEqual([]);
  });

  test('has alternatives counted once', () => {
    const server = { apiVersion: 'policy.linkerd.io/v1alpha1', kind: 'Server', spec: { port: 80, podSelector: {} } };
    expect(checkObject(server)).toMatchObject([
      {
        code: 'field-refused',
        cause: 'invalid',
        place: 'Server',
        parameters: { field: 'spec.podSelector', rule: 'schema-one-field', expected: 'matchExpressions, matchLabels' },
      },
    ]);
  });

  test('has no status', () => {
    const object = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' }, status: { loadBalancer: {} } };
    expect(checkObject(object)).toMatchObject([
      {
        code: 'field-refused',
        cause: 'unknown',
        place: 'Service a',
        parameters: { field: 'status', remedy: 'remove', hint: 'apiVersion, kind, metadata, spec' },
      },
    ]);
  });

  test('has only such metadata as a manifest decides', () => {
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
  ])('of a kind that is not known is not checked: %j', (object) => {
    expect(hasSchema(object)).toBe(false);
    expect(checkObject(object)).toEqual([]);
  });

  test('of a known kind and version has a schema', () => {
    expect(hasSchema({ apiVersion: 'apps/v1', kind: 'Deployment' })).toBe(true);
    expect(hasSchema({ apiVersion: 'apps/v1beta1', kind: 'Deployment' })).toBe(false);
  });
});

describe('chart values', () => {
  test('that the chart reads have no problems', () => {
    expect(values({ proxy: { logLevel: 'info' }, podAnnotations: { 'example.com/a': 'b' } })).toEqual([]);
  });

  test('may be null at any key', () => {
    expect(values({ proxy: { resources: null, logFormat: null }, nodeSelector: { 'kubernetes.io/os': null } })).toEqual(
      [],
    );
  });

  test('that the chart does not read are told the right key, and that Helm keeps silent', () => {
    expect(values({ proxy: { resource: { cpu: { limit: '1' } } } })).toMatchObject([
      {
        code: 'chart-value-refused',
        cause: 'unknown',
        about: 'values.proxy.resource',
        parameters: {
          path: 'proxy.resource',
          chart: 'linkerd-control-plane 2026.8.3',
          remedy: 'meant',
          hint: 'proxy.resources',
        },
      },
    ]);
  });

  test.each([
    ['case', { proxyinit: {} }, 'proxyInit'],
    [
      'half of a compound',
      { proxy: { tracing: { collector: { identity: {} } } } },
      'proxy.tracing.collector.meshIdentity',
    ],
    ['another level', { nativeSidecar: true }, 'proxy.nativeSidecar'],
    ['two other levels', { tracing: { enabled: true } }, 'controller.tracing or proxy.tracing'],
    ['a component with a prefix', { spValidatorResource: {} }, 'spValidatorResources'],
    ['a level below', { proxy: { cpu: { request: '1' } } }, 'proxy.resources.cpu'],
    ['two levels below', { proxy: { cpuLimit: '1' } }, 'proxy.resources.cpu.limit'],
    ['a level above', { proxy: { webhookFailurePolicy: 'Fail' } }, 'webhookFailurePolicy'],
    ["Kubernetes' requests", { proxy: { resources: { requests: { cpu: '1' } } } }, 'proxy.resources.cpu.request'],
    [
      "Kubernetes' limits of two resources",
      { proxy: { resources: { limits: { cpu: '1', memory: '1Gi' } } } },
      'proxy.resources.cpu.limit and proxy.resources.memory.limit',
    ],
    ["a quota's name", { proxy: { resources: { 'requests.memory': '1Gi' } } }, 'proxy.resources.memory.request'],
    [
      "Kubernetes' resources, in part known",
      { proxy: { limits: { gpu: '1', cpu: '1' } } },
      'proxy.resources.cpu.limit',
    ],
    [
      "Kubernetes' limit of what Linkerd cannot limit",
      { proxy: { resources: { limits: { gpu: '1' } } } },
      /proxy\.resources\.cpu\.limit or proxy\.resources\.memory\.limit/,
    ],
    [
      "Kubernetes' requests of nothing",
      { proxy: { requests: null } },
      'proxy.resources.cpu.request and proxy.resources.memory.request',
    ],
  ])('are told %s', (_what, wrong, right) => {
    const hint = typeof right === 'string' ? right : expect.stringMatching(right);
    expect(values(wrong as unknown as Values)).toMatchObject([
      { code: 'chart-value-refused', cause: 'unknown', parameters: { remedy: 'meant', hint } },
    ]);
  });

  test.each([
    ['only other branches have', { identity: { requests: { cpu: '1' } } }],
    ['many parts have', { cpu: '1' }],
    ['a part elsewhere has by another name', { identity: { logLvl: 'info' } }],
  ])('are told nothing wrong where the key is one that %s', (_what, wrong) => {
    expect(values(wrong as unknown as Values)).toMatchObject([
      { code: 'chart-value-refused', cause: 'unknown', parameters: { remedy: 'remove' } },
    ]);
  });

  test('that resemble nothing are to be removed', () => {
    expect(values({ egress: { zzz: 1 } })).toMatchObject([
      { parameters: { path: 'egress.zzz', remedy: 'remove', hint: 'globalEgressNetworkNamespace' } },
    ]);
  });

  test.each([
    [
      { highAvailability: 'true' },
      { path: 'highAvailability', is: 'type', value: '"true"', expected: 'boolean' },
      { remedy: 'unquote', hint: 'true' },
    ],
    [
      { controllerReplicas: '3' },
      { path: 'controllerReplicas', is: 'type', value: '"3"', expected: 'integer' },
      { remedy: 'unquote', hint: '3' },
    ],
    [
      { tolerations: { key: 'a' } },
      { path: 'tolerations', is: 'type', value: '{"key":"a"}', expected: 'array' },
      { remedy: 'list' },
    ],
    [{ proxy: 'x' }, { path: 'proxy', is: 'type', value: '"x"', expected: 'object' }, { remedy: 'correct' }],
    [
      { proxy: { ports: { admin: 70000 } } },
      { path: 'proxy.ports.admin', is: 'schema-keyword', value: '70000', expected: 'must be <= 65535' },
      { remedy: 'correct' },
    ],
    [
      { identity: { issuer: { issuanceLifetime: '1d' } } },
      {
        path: 'identity.issuer.issuanceLifetime',
        is: 'schema-description',
        value: '"1d"',
        expected: 'a Go duration such as 24h0m0s',
      },
      { remedy: 'correct' },
    ],
    [
      { webhookFailurePolicy: 'fail' },
      { path: 'webhookFailurePolicy', is: 'unsupported', value: '"fail"', expected: '"Ignore", "Fail"' },
      { remedy: 'meant', hint: '"Fail"' },
    ],
  ])('of the wrong kind: %j', (wrong: Values, misfit, remedy) => {
    expect(values(wrong)).toMatchObject([
      { code: 'chart-value-refused', cause: 'invalid', parameters: { ...misfit, ...remedy } },
    ]);
  });

  test("are checked as Kubernetes' types where the chart hands them on", () => {
    expect(values({ tolerations: [{ key: 'a', efect: 'NoSchedule' }] })).toMatchObject([
      {
        code: 'chart-value-refused',
        cause: 'unknown',
        parameters: { path: 'tolerations[0].efect', remedy: 'meant', hint: 'tolerations[0].effect' },
      },
    ]);
  });

  test('show long values shortened', () => {
    expect(values({ podLabels: 'x'.repeat(99) })).toMatchObject([{ what: expect.stringMatching(/^.{20,100}$/) }]);
  });

  test('of a chart without a schema are not checked', () => {
    expect(checkValues({ ...CONTROL_PLANE, name: 'podinfo' }, { a: 1 })).toEqual([]);
  });
});

test('what is wrong with a Secret is said without its contents', () => {
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a', namespace: 'b' } };
  const whats = (fields: object) => checkObject({ ...secret, ...fields }).map(({ what }) => what);
  const wrong = whats({ data: { key: 20_261_122 }, stringData: { other: { name: 'hunter2' } } });
  expect(wrong).toEqual([expect.stringMatching(/^data\.key is /), expect.stringMatching(/^stringData\.other is /)]);
  expect(JSON.stringify([wrong, whats({ data: 'hunter2' })])).not.toMatch(/20261122|hunter2/);
  expect(whats({ data: 'hunter2' })).toHaveLength(1);
  expect(whats({ data: { key: 'aGk=' }, stringData: { other: 'hunter2' } })).toEqual([]);
});
