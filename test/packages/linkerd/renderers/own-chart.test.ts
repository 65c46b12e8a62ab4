import { mergeValues, type Values } from '#base/values';
import type { RenderedChart } from '#linkerd/charts/chart';
import { Release } from '#linkerd/releases/release';
import { controlPlaneChart } from '#linkerd/renderers/linkerd-control-plane/chart';
import { vizChart } from '#linkerd/renderers/linkerd-viz/chart';
import { cniChart } from '#linkerd/renderers/linkerd2-cni/chart';
import { ownRenderer } from '#linkerd/renderers/own-renderer';
import { linkerdCharts } from '#test/support/linkerd-charts';

const release = (options: Parameters<typeof linkerdCharts>[0] = {}) =>
  Release.fromCharts(linkerdCharts(options), 'edge-26.9.1');

const CERTIFICATES: Values = Object.fromEntries(
  ['proxyInjector', 'profileValidator', 'policyValidator'].map((webhook) => [
    webhook,
    { externalSecret: true, injectCaFrom: `linkerd/${webhook}` },
  ]),
);

const given = (values: Values): Values =>
  mergeValues({ ...CERTIFICATES, identity: { issuer: { scheme: 'kubernetes.io/tls' } } }, values);

/** The fields of rendered objects that tests read. */
interface Rendered {
  readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
  readonly spec: {
    readonly schedule: string;
    readonly template: { readonly metadata: { readonly annotations: Readonly<Record<string, string>> } };
  };
  readonly data: Readonly<Record<string, string>>;
}

function render(
  values: Values,
  chart: RenderedChart = controlPlaneChart(release()),
  context = { namespace: 'linkerd' },
) {
  const complete = mergeValues(chart.defaults, given(values));
  const problems = chart.native.check(complete);
  const objects = chart.native.render(complete, context);
  const find = (kind: string, name: string) =>
    objects.find((object) => object.kind === kind && object.metadata.name === name) as unknown as Rendered;
  return { problems, objects, find };
}

describe('a control plane from a folder of charts', () => {
  test('names cdk8s-linkerd as the creator of objects and pods', () => {
    const { find } = render({});
    const { metadata, spec } = find('Deployment', 'linkerd-destination');
    for (const { annotations } of [metadata, spec.template.metadata]) {
      expect(annotations['linkerd.io/created-by']).toBe('cdk8s-linkerd edge-26.9.1');
    }
    const named = render({ cliVersion: 'ours' }).find('Deployment', 'linkerd-destination');
    expect(named.metadata.annotations['linkerd.io/created-by']).toBe('ours');
  });

  test('computes the heartbeat schedule from the name of the cluster or from values, and not from the time', () => {
    const chart = controlPlaneChart(release());
    const schedule = (values: Values, clusterName?: string) =>
      render(values, chart, { namespace: 'linkerd', ...(clusterName && { clusterName }) }).find(
        'CronJob',
        'linkerd-heartbeat',
      ).spec.schedule;
    expect(schedule({}, 'a')).not.toBe(schedule({}, 'b'));
    expect(schedule({}, 'a')).toBe(schedule({}, 'a'));
    expect(schedule({ heartbeatSchedule: '1 2 * * *' })).toBe('1 2 * * *');
    const config = (values: Values) => render(values, chart).find('ConfigMap', 'linkerd-config').data.values;
    expect(config({ heartbeatSchedule: '*/5 2 * * *' })).toContain('\nheartbeatSchedule: "*/5 2 * * *"\n');
    expect(config({})).not.toContain('heartbeatSchedule');
  });

  test('has a checksum that changes with the configuration, for the injector and not for the destination', () => {
    const annotations = (values: Values, name: string) =>
      render(values).find('Deployment', name).spec.template.metadata.annotations;
    const [one, other] = [{}, { proxy: { logLevel: 'debug' } }].map((values) =>
      annotations(values, 'linkerd-proxy-injector'),
    );
    expect(one?.['checksum/config']).toMatch(/^[0-9a-f]{64}$/);
    expect(one?.['checksum/config']).not.toBe(other?.['checksum/config']);
    expect(annotations({}, 'linkerd-destination')).not.toHaveProperty(['checksum/config']);
  });
});

test('clusters that differ only in the heartbeat schedule share all other objects', () => {
  const chart = controlPlaneChart(release());
  const [one, other] = ['1 2 * * *', '3 4 * * *'].map(
    (heartbeatSchedule) => render({ heartbeatSchedule }, chart).objects,
  );
  const own = other?.filter((object) => !one?.includes(object)).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  expect(own).toEqual(['ConfigMap linkerd-config', 'Deployment linkerd-proxy-injector', 'CronJob linkerd-heartbeat']);
});

describe('the render check of a chart from a folder', () => {
  const chart = controlPlaneChart(release());
  test.each<[Values, string]>([
    [{ proxyInjector: { externalSecret: false, injectCaFrom: '' } }, 'key-made-by-chart'],
    [{ proxyInjector: { injectCaFrom: '' } }, 'ca-source-ambiguous'],
    [{ identity: { issuer: { scheme: 'linkerd.io/tls' } } }, 'key-made-by-chart'],
    [{ proxyInjector: { keyPEM: '-----BEGIN EC PRIVATE KEY-----' } }, 'private-key-found'],
    [{ enablePSP: true }, 'chart-value-refused'],
    [{ podAnnotations: { a: null } }, 'chart-value-refused'],
  ])('refuses %j', (values, code) => {
    const { problems, objects: _ } = render(values, chart);
    expect(problems.map((problem) => problem.code)).toContain(code);
  });

  test('refuses a private key that a template makes', () => {
    const files = { controlPlane: { 'templates/other.yaml': '{{ (genSelfSignedCert "a" nil nil 1).Key }}' } };
    expect(render({}, controlPlaneChart(release({ files }))).problems).toMatchObject([
      { code: 'chart-not-rendered', parameters: { place: expect.stringContaining('templates/other.yaml:1') } },
    ]);
  });
});

test('the render check of a chart from a folder refuses to remove a value that a template prints', () => {
  const files = {
    controlPlane: {
      'templates/domain.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { a: {{ printf "x.%s" .Values.clusterDomain }} }\n',
    },
  };
  const chart = controlPlaneChart(release({ files }));
  expect(render({}, chart).problems).toEqual([]);
  expect(render({ clusterDomain: null }, chart).problems).toMatchObject([
    { code: 'chart-value-missing', parameters: { object: expect.stringContaining('ConfigMap linkerd/a') } },
  ]);
});

test('ownRenderer distinguishes two archives of the same version by their content', () => {
  const fingerprint = (options: Parameters<typeof linkerdCharts>[0]) => {
    const chart = release(options).archives?.need('cni');
    if (chart === undefined) throw new Error('the release is not from charts');
    const facts = {
      part: 'cni',
      name: 'linkerd2-cni',
      namespace: 'linkerd-cni',
      linkerdVersion: 'edge-26.9.1',
    } as const;
    return ownRenderer(chart, facts).fingerprint;
  };
  expect(fingerprint({})).toBe(fingerprint({}));
  expect(fingerprint({})).not.toBe(fingerprint({ files: { cni: { 'README.md': 'changed' } } }));
});

test('the render check of an extension from a folder requires the namespace of the control plane', () => {
  const chart = vizChart(release());
  const { problems } = render({ linkerdNamespace: '' }, chart);
  expect(problems.map(({ cause }) => cause)).toContain('control-plane-namespace');
});

test('the render check of a chart that the folder lacks names the command that pulls it', () => {
  const chart = cniChart(release({ without: ['cni'] }));
  expect(chart.native.check(chart.defaults)).toMatchObject([
    { code: 'chart-not-rendered', fix: expect.stringContaining('charts pull linkerd2-cni 2026.9.1') },
  ]);
  expect(chart.native.render(chart.defaults, { namespace: 'linkerd-cni' })).toEqual([]);
});

describe('the check of values for a chart from a folder', () => {
  const values = {
    controlPlane: { added: { size: 1, free: {}, list: [], flag: true, text: 'a', none: null } } satisfies Values,
  };
  const chart = controlPlaneChart(release({ values }));
  const codes = (over: Values) => (chart.checkGiven?.(over) ?? []).map(({ cause, about }) => `${cause} ${about}`);

  test.each<Values>([
    { added: { size: 2, free: { any: 1 }, list: [1], flag: false, text: 'b', none: { a: 1 } } },
    { added: null },
    // Only values-ha.yaml has this key.
    { highAvailability: true, controllerResources: { cpu: { limit: '' } } },
    // Only a template reads this key.
    { proxy: { hidden: 'x' } },
    { heartbeatSchedule: '1 2 * * *', proxy: { logLevel: 'warn' } },
    // Only the types of the closest release have these keys.
    { nodeSelector: { 'kubernetes.io/arch': 'arm64' } },
    { deploymentStrategy: { type: 'Recreate' } },
    { destinationResources: { 'ephemeral-storage': { request: '1Gi' } } },
  ])('accepts %j', (over) => expect(codes(over)).toEqual([]));

  test.each<[Values, string]>([
    [{ aded: {} }, 'unknown values.aded'],
    [{ added: { sise: 1 } }, 'unknown values.added.sise'],
    [{ hidden: 'x' }, 'unknown values.hidden'],
    [{ __proto__x: 1 }, 'unknown values.__proto__x'],
    [{ added: { flag: 'false' } }, 'type values.added.flag'],
    [{ added: { list: 'a' } }, 'type values.added.list'],
    [{ added: 'a' }, 'type values.added'],
    // The types of the closest release refuse these values.
    [{ proxy: { cores: 'two' } }, 'invalid values.proxy.cores'],
    [{ nodeSelector: { gpu: true } }, 'invalid values.nodeSelector.gpu'],
  ])('refuses %j', (over, found) => expect(codes(over)).toEqual([found]));

  test.each<Values>([
    { prometheus: { args: { 'log.format': 'json' } } },
    { prometheus: { globalConfig: { external_labels: { cluster: 'home' } } } },
  ])('accepts %j for Viz', (over) => expect(vizChart(release()).checkGiven?.(over)).toEqual([]));

  test('refuses a key that the closest known release has and the chart lacks', () => {
    const without = controlPlaneChart(
      release({ files: { controlPlane: { 'values.yaml': 'linkerdVersion: edge-26.9.1' } } }),
    );
    expect(without.checkGiven?.({ proxyInit: {} })).toMatchObject([{ cause: 'unknown', about: 'values.proxyInit' }]);
  });

  test('proposes the nearest key for a typo', () => {
    expect(chart.checkGiven?.({ added: { sise: 1 } })[0]?.fix).toContain('added.size');
  });

  test('enforces the schema of the chart', () => {
    const schema = '{"properties":{"controllerReplicas":{"maximum":5}}}';
    const strict = controlPlaneChart(release({ files: { controlPlane: { 'values.schema.json': schema } } }));
    expect(render({ controllerReplicas: 9 }, strict).problems).toMatchObject([{ code: 'chart-not-rendered' }]);
  });
});
