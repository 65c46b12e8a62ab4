import MarkdownIt from 'markdown-it';
import { stringifyYaml } from '#base/yaml-writer';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { formatIndex, INDEX_FILE, indexOf } from '#lib/gitops/synth/output/cluster-index';
import type { Inflate } from '#lib/review/compare/chart-moves';
import type { Output } from '#lib/review/compare/output';
import type { ClusterPlan } from '#lib/review/upgrade/cluster-plan';
import { acknowledged, type UpgradePlan, upgradePlan } from '#lib/review/upgrade/plan';
import { planText } from '#lib/review/upgrade/plan-text';
import { definition, definitionsOf } from '#linkerd/releases/definitions';
import type { Installed } from '#linkerd/releases/installed';

type Files = Readonly<Record<string, string>>;

type ClusterFiles = ReadonlyMap<string, string>;

function cluster(files: Files, installed: Installed = { releases: {}, definitions: [] }): ClusterFiles {
  return new Map([...Object.entries(files), [INDEX_FILE, formatIndex(indexOf(Object.keys(files), [], installed))]]);
}

function output(clusters: Readonly<Record<string, ClusterFiles>>): Output {
  return new Map(Object.entries(clusters));
}

function linkerd(release: string): Installed {
  return { releases: { crds: release, controlPlane: release }, definitions: definitionsOf(release, {}) };
}

const deployment = (image: string, spec: object = {}): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'linkerd-identity', namespace: 'linkerd' },
  spec: {
    selector: { matchLabels: { app: 'identity' } },
    template: { spec: { containers: [{ name: 'identity', image }] } },
    ...spec,
  },
});

const meshConfig = (values: object): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'linkerd-config', namespace: 'linkerd' },
  data: { values: stringifyYaml(values) },
});

const IDENTITY = 'linkerd/deployment.linkerd-identity.yaml';
const CONFIG = 'linkerd/configmap.linkerd-config.yaml';
const identity = (...of: Parameters<typeof deployment>): Files => ({ [IDENTITY]: stringifyYaml(deployment(...of)) });
const config = (values: object): Files => ({ [CONFIG]: stringifyYaml(meshConfig(values)) });
const noChart: Inflate = () => undefined;

function move(before: ClusterFiles, after: ClusterFiles, inflate = noChart): UpgradePlan {
  return upgradePlan(output({ home: before }), output({ home: after }), inflate);
}

function onlyPlan({ groups: [group] }: UpgradePlan): ClusterPlan {
  if (group === undefined) throw new Error('there is no plan');
  return group.plan;
}

function compare(before: Files, after: Files, [from, to] = ['edge-26.8.2', 'edge-26.8.3']): ClusterPlan {
  return onlyPlan(move(cluster(before, linkerd(from)), cluster(after, linkerd(to))));
}

function titles({ steps }: ClusterPlan): readonly string[] {
  return steps.map(({ title }) => title.replace(/:.*/, ''));
}

test('a plan lists changed fields once for all objects that have them, and noise on one line', () => {
  const other = (object: KubernetesObject) => ({ ...object, metadata: { ...object.metadata, name: 'other' } });
  const [before, after] = [deployment('a:1', { replicas: 1 }), deployment('a:2', { replicas: 3 })];
  const plan = compare(
    { [IDENTITY]: stringifyYaml(before), 'linkerd/deployment.other.yaml': stringifyYaml(other(before)) },
    { [IDENTITY]: stringifyYaml(after), 'linkerd/deployment.other.yaml': stringifyYaml(other(after)) },
  );
  expect(plan.changed).toEqual([
    {
      objects: ['Deployment linkerd/linkerd-identity', 'Deployment linkerd/other'],
      fields: [{ path: 'spec.replicas', before: 1, after: 3 }],
    },
  ]);
  expect(plan.noise).toEqual({ fields: 2, objects: 2 });
  expect(plan.restarts).toEqual(['Deployment linkerd/linkerd-identity', 'Deployment linkerd/other']);
  expect(plan.findings).toEqual([]);
});

test('a plan lists a field that changes in several objects apart from changes of a single object', () => {
  const named = (name: string, spec: object) => {
    const object = deployment('a:1', spec);
    return { [`linkerd/${name}.yaml`]: stringifyYaml({ ...object, metadata: { ...object.metadata, name } }) };
  };
  const plan = compare(
    { ...named('a', { replicas: 1 }), ...named('b', {}) },
    { ...named('a', { replicas: 2, paused: true }), ...named('b', { paused: true }) },
  );
  expect(plan.changed).toEqual([
    { objects: ['Deployment linkerd/a'], fields: [{ path: 'spec.replicas', before: 1, after: 2 }] },
    { objects: ['Deployment linkerd/a', 'Deployment linkerd/b'], fields: [{ path: 'spec.paused', after: true }] },
  ]);
});

test('a plan restarts a workload exactly if its pod template changes', () => {
  expect(compare(identity('a:1', { replicas: 1 }), identity('a:1', { replicas: 3 })).restarts).toEqual([]);
  const job = (image: string) => stringifyYaml({ ...deployment(image), kind: 'CronJob', apiVersion: 'batch/v1' });
  expect(compare({ [IDENTITY]: job('a:1') }, { [IDENTITY]: job('a:2') }).restarts).toEqual([]);
});

test('a plan matches objects whatever their files and the version of their group', () => {
  const server = (version: string, port: string) =>
    stringifyYaml({
      apiVersion: `policy.linkerd.io/${version}`,
      kind: 'Server',
      metadata: { name: 'admin', namespace: 'linkerd-viz' },
      spec: { port },
    });
  const plan = compare(
    { 'linkerd-viz/templates/server.admin.yaml': server('v1beta1', '{{`{{`}}').replaceAll("'", '"') },
    { 'linkerd-viz/server.admin.yaml': server('v1beta3', '{{') },
  );
  expect(plan.changed).toEqual([
    {
      objects: ['Server linkerd-viz/admin'],
      fields: [{ path: 'apiVersion', before: 'policy.linkerd.io/v1beta1', after: 'policy.linkerd.io/v1beta3' }],
    },
  ]);
});

test('a plan reports immutable fields as an error', () => {
  const plan = compare(identity('a:1'), identity('a:1', { selector: { matchLabels: { app: 'other' } } }));
  expect(plan.findings).toMatchObject([
    {
      severity: 'error',
      problem: {
        code: 'immutable-field-changed',
        parameters: { object: 'Deployment linkerd/linkerd-identity', fields: 'spec.selector' },
      },
    },
  ]);
});

test('a plan reports any change of a Job as an error, unless Argo CD recreates the Job', () => {
  const job = (image: string, annotations = {}) =>
    stringifyYaml({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'namespace-metadata', namespace: 'linkerd-viz', annotations },
      spec: { template: { spec: { containers: [{ name: 'a', image }] } } },
    });
  const codes = (annotations?: object) =>
    compare({ 'a/b.yaml': job('a:1', annotations) }, { 'a/b.yaml': job('a:2', annotations) }).findings.map(
      ({ problem }) => problem.code,
    );
  expect(codes()).toEqual(['immutable-field-changed']);
  expect(codes({ 'helm.sh/hook': 'post-install' })).toEqual([]);
  expect(codes({ 'argocd.argoproj.io/sync-options': 'Force=true,Replace=true' })).toEqual([]);
});

test('a plan lists removed values of the user with their new names, but not defaults of the chart', () => {
  const image = (name: string) => ({ proxyInit: { image: { name, pullPolicy: '', version: 'v2.2.3' } } });
  const lost = (name: string, from = 'stable-2.14.10') =>
    compare(config(image(name)), config({}), [from, 'edge-26.8.3']).lostValues;
  expect(lost('mirror.example.com/proxy-init')).toMatchObject([
    { path: 'proxyInit.image', since: 'edge-25.11.3', renamedTo: 'proxy.image', isReplaced: false },
  ]);
  expect(lost('cr.l5d.io/linkerd/proxy-init')).toEqual([]);
  // An unknown release has the values of the nearest older one.
  expect(lost('cr.l5d.io/linkerd/proxy-init', 'edge-24.9.1')).toEqual([]);
});

test('a plan compares values of a chart that Helm renders with its values.yaml', () => {
  const umbrella = (version: string, values: object) => ({
    'linkerd/Chart.yaml': stringifyYaml({
      apiVersion: 'v2',
      name: 'linkerd',
      version,
      dependencies: [{ name: 'linkerd-control-plane', repository: 'https://helm.linkerd.io', version }],
    }),
    'linkerd/values.yaml': stringifyYaml({ 'linkerd-control-plane': values }),
  });
  const plan = compare(
    umbrella('1.16.11', { controlPlaneTracing: true, logLevel: 'info' }),
    umbrella('2025.10.7', { controller: { tracing: { enabled: true } }, logLevel: 'debug' }),
    ['stable-2.14.10', 'edge-25.10.7'],
  );
  expect(plan.lostValues).toMatchObject([{ path: 'controlPlaneTracing', value: true, isReplaced: true }]);
  expect(plan.changedDefaults.map(({ path }) => path)).toEqual([
    'proxy.enableShutdownEndpoint',
    'proxy.outboundTransportMode',
    'proxyInit.iptablesMode',
  ]);
  expect(plan.charts).toMatchObject([{ chart: 'linkerd-control-plane', from: '1.16.11', to: '2025.10.7' }]);
  expect(plan.charts[0]?.values.map(({ path }) => path)).toEqual(['controlPlaneTracing', 'logLevel', 'controller']);
  expect(plan.unrendered).toEqual(['linkerd-control-plane']);
});

test('a plan lists exactly the known faults that the upgrade fixes', () => {
  const files = config({ identityTrustDomain: 'corp.example.com', proxy: { tracing: { enabled: true } } });
  const mended = (...move: [string, string]) => compare(files, files, move).mended;
  expect(mended('edge-26.4.4', 'edge-26.8.3')).toMatchObject([{ source: 'linkerd2#15404', fixed: 'edge-26.7.1' }]);
  expect(mended('edge-26.4.4', 'edge-26.6.3')).toEqual([]);
  expect(mended('edge-26.7.1', 'edge-26.8.3')).toEqual([]);
  const text = planText(move(cluster(files, linkerd('edge-26.4.4')), cluster(files, linkerd('edge-26.8.3'))));
  expect(text).toContain('### Fixed faults');
  expect(text).toContain('Fixed in edge-26.7.1.');
});

test('a plan compares a chart by its objects if this program renders it', () => {
  const umbrella = (version: string) => ({
    'linkerd/Chart.yaml': stringifyYaml({ dependencies: [{ name: 'linkerd-control-plane', version }] }),
    'linkerd/values.yaml': stringifyYaml({ 'linkerd-control-plane': {} }),
  });
  const inflate: Inflate = ({ version }) => [deployment(`a:${version}`, { replicas: version.length })];
  const after = cluster(identity('a:2026.10.1', { replicas: 9 }));
  expect(onlyPlan(move(cluster(umbrella('2026.8.2')), after, inflate))).toMatchObject({
    added: [],
    removed: [],
    unrendered: [],
    restarts: ['Deployment linkerd/linkerd-identity'],
    changed: [{ fields: [{ path: 'spec.replicas', before: 8, after: 9 }] }],
  });
});

test('the steps of an upgrade are in the order of their dependencies', () => {
  const plan = compare({}, {}, ['edge-25.10.7', 'edge-26.8.3']);
  expect(titles(plan)).toEqual(['Before', 'CRDs', 'Control plane', 'Data plane']);
  expect(JSON.stringify(plan.steps)).toContain('Kubernetes 1.31 or newer');
  expect(JSON.stringify(plan.steps)).toContain('supports proxies that are one minor version behind');
  expect(titles(compare({}, {}, ['stable-2.14.10', 'edge-25.10.7']))).toEqual([
    'Before',
    ...[1, 2, 3, 4].map((number) => `On the way, ${number} of 4`),
    ...['Gateway API', 'CRDs', 'Control plane', 'Data plane'],
  ]);
  const back = compare({}, {}, ['edge-25.10.7', 'stable-2.14.10']);
  const stored = 'Stored versions of servers.policy.linkerd.io';
  expect(titles(back)).toEqual(['Before', stored, 'CRDs', 'Control plane', 'Data plane']);
});

test('an unknown release needs the steps of the nearest older one, and no others', () => {
  for (const move of [
    ['edge-26.7.9', 'edge-26.8.3'],
    ['edge-26.8.3', 'edge-26.9.1'],
  ] as const) {
    const plan = compare({}, {}, [...move]);
    expect(titles(plan)).toEqual(['Before', 'CRDs', 'Control plane', 'Data plane']);
    expect(JSON.stringify(plan.steps)).not.toContain('The cluster must run Kubernetes');
  }
  const plan = compare({}, {}, ['edge-25.10.7', 'edge-26.9.1']);
  expect(JSON.stringify(plan.steps)).toContain('Kubernetes 1.31 or newer');
});

test('a stored version of a CRD must be served before another can be removed', () => {
  const [before, after] = [definition('a.example.com', 'v1*'), definition('a.example.com', 'v2*')];
  const of = (one: typeof before): Installed => ({ ...linkerd('edge-26.8.3'), definitions: [one] });
  const old = { ...of(before), releases: { crds: 'edge-26.8.2' } };
  const made = move(cluster({}, old), cluster({}, of(after)));
  expect(JSON.stringify(made)).toContain('first move to a release that has both versions');
  expect(JSON.stringify(made)).not.toContain('kubectl replace');
});

test.each([
  // 25.2.3 is the first release whose policy controller watches v1 of the Gateway API, and whose chart installs v1.
  ['edge-25.2.2', 'edge-25.2.3', true],
  ['edge-24.11.8', 'edge-25.6.1', true],
  ['edge-25.2.3', 'edge-25.4.4', false],
  ['edge-25.4.4', 'edge-25.9.3', false],
  ['edge-25.6.1', 'edge-25.10.7', false],
  ['edge-25.9.4', 'edge-25.10.7', false],
  ['edge-25.2.3', 'edge-25.2.2', false],
])(
  'whether, without the Gateway API of Linkerd, an upgrade from %s to %s needs newer routes: %s',
  (from, to, isNeeded) => {
    const without = (release: string): Installed => ({
      ...linkerd(release),
      definitions: definitionsOf(release, { enableHttpRoutes: false, enableTcpRoutes: false, enableTlsRoutes: false }),
    });
    const { steps } = onlyPlan(move(cluster({}, without(from)), cluster({}, without(to))));
    expect(steps.some(({ title }) => title === 'Gateway API')).toBe(isNeeded);
  },
);

test.each([
  ['edge-25.2.2', 'edge-25.2.3', false],
  ['edge-25.6.1', 'edge-25.9.3', false],
  // 25.9.4 is the first release whose chart does not install the Gateway API by default.
  ['edge-25.9.3', 'edge-25.9.4', true],
  ['edge-25.6.1', 'edge-25.10.7', true],
  ['edge-25.9.4', 'edge-25.10.7', false],
])('whether, by default, an upgrade from %s to %s removes the Gateway API: %s', (from, to, isGone) => {
  const step = compare({}, {}, [from, to]).steps.find(({ title }) => title === 'Gateway API');
  expect(step?.what[0]?.startsWith('The output no longer contains grpcroutes.') ?? false).toBe(isGone);
});

test('a plan lists removed CRDs of the Gateway API in their step', () => {
  const routes = definition('httproutes.gateway.networking.k8s.io', 'v1*');
  const old: Installed = { ...linkerd('edge-26.8.2'), definitions: [routes] };
  const next: Installed = { ...linkerd('edge-26.8.3'), definitions: [] };
  const { steps } = onlyPlan(move(cluster({}, old), cluster({}, next)));
  const step = steps.find(({ title }) => title === 'Gateway API');
  expect(step?.what[0]).toBe(
    'The output no longer contains httproutes.gateway.networking.k8s.io. Argo CD keeps the CRDs in the cluster.',
  );
});

test('a plan restarts namespaces of the output, except those whose workloads restart by themselves', () => {
  const namespace = (name: string, inject: string) =>
    stringifyYaml({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, annotations: { 'linkerd.io/inject': inject } },
    });
  const files = {
    'shop/namespace.shop.yaml': namespace('shop', 'enabled'),
    'x/namespace.x.yaml': namespace('x', 'disabled'),
  };
  const viz = (image: string) => stringifyYaml({ ...deployment(image), metadata: { name: 'web', namespace: 'viz' } });
  const injected = { ...files, 'viz/namespace.viz.yaml': namespace('viz', 'enabled') };
  const plan = compare({ ...injected, 'viz/d.yaml': viz('a:1') }, { ...injected, 'viz/d.yaml': viz('a:2') });
  expect(plan.steps.at(-1)?.commands.filter((command) => command.includes('restart'))).toEqual([
    'kubectl rollout restart deployment,statefulset,daemonset -n shop',
  ]);
});

test('a plan deletes removed folders in its last step', () => {
  expect(compare({ 'linkerd-jaeger/configmap.a.yaml': stringifyYaml(meshConfig({})) }, {}).steps.at(-1)).toMatchObject({
    commands: ['argocd app delete CLUSTER-linkerd-jaeger --cascade'],
  });
});

test('an unreadable file is an error in the new output, and a warning in the old one', () => {
  const [right, wrong] = [stringifyYaml(deployment('a:1')), 'a: [1\nb: "x'];
  const found = (before: string, after: string) =>
    compare({ [IDENTITY]: before }, { [IDENTITY]: after }).findings.map(
      ({ severity, problem: { code, parameters } }) => `${severity} ${code} ${parameters?.reason}`,
    );
  expect(found(right, wrong)).toEqual([expect.stringMatching(/^error file-unreadable \w+ in line \d$/)]);
  expect(found(wrong, right)).toEqual([expect.stringMatching(/^warning output-not-compared \w+ in line \d$/)]);
  expect(found(right, '')).toEqual([expect.stringContaining('it is empty')]);
  expect(found(right, 'just text')).toEqual([expect.stringContaining('it is not a Kubernetes object')]);
  expect(found(right, `${right}---\n${right}`)).toEqual([expect.stringContaining('more than one document')]);
  expect(found(wrong, wrong)).toEqual([]);
});

test('a damaged index is a warning in the old output, and an error in the new one, since files may be missing', () => {
  const [whole, broken] = [cluster({}), new Map([[INDEX_FILE, '<<<<<<< HEAD']])];
  const found = (before: typeof whole | undefined, after: typeof whole) => {
    const { groups, refused } = upgradePlan(output(before ? { home: before } : {}), output({ home: after }), noChart);
    return [groups[0]?.plan.findings.map(({ severity, problem }) => `${severity} ${problem.code}`), refused];
  };
  expect(found(broken, whole)).toEqual([['warning output-not-compared'], false]);
  expect(found(whole, broken)).toEqual([['error file-unreadable'], true]);
  expect(found(undefined, broken)).toEqual([['error file-unreadable'], true]);
});

test('a plan reads the releases of an output of an older library from its objects', () => {
  const annotations = { 'linkerd.io/created-by': 'cdk8s-linkerd edge-26.6.3' };
  const old = {
    [CONFIG]: stringifyYaml({
      ...meshConfig({}),
      metadata: { name: 'linkerd-config', namespace: 'linkerd', annotations },
    }),
    'linkerd-viz/deployment.metrics-api.yaml': stringifyYaml({
      ...deployment('a:1'),
      metadata: { name: 'metrics-api', namespace: 'linkerd-viz', annotations },
    }),
    'linkerd-cni/daemonset.linkerd-cni.yaml': stringifyYaml({
      ...deployment('a:1'),
      kind: 'DaemonSet',
      metadata: { name: 'linkerd-cni', annotations: { 'linkerd.io/created-by': 'cdk8s-linkerd v1.6.8' } },
    }),
  };
  const index = JSON.stringify({
    writer: 'x',
    charts: ['linkerd-crds 2026.6.3 (edge-26.8.3)'],
    files: Object.keys(old),
  });
  const before = new Map([...Object.entries(old), [INDEX_FILE, index]]);
  const after: Installed = {
    ...linkerd('edge-26.8.3'),
    releases: { ...linkerd('edge-26.8.3').releases, cni: 'edge-26.8.3', viz: 'edge-26.8.3' },
  };
  const moved = ['crds', 'cni', 'controlPlane', 'viz'].map((part) => ({
    part,
    from: 'edge-26.6.3',
    to: 'edge-26.8.3',
  }));
  expect(onlyPlan(move(before, cluster(old, after))).moves).toEqual(moved);
});

test('a plan assumes nothing about CRDs that the index of an older library does not list', () => {
  const index = JSON.stringify({ writer: 'x', charts: ['linkerd-crds 2026.8.3 (edge-26.8.3)'], files: [] });
  const definitions = [
    ...definitionsOf('edge-26.8.3', {}),
    definition('linkerdconfigs.config.linkerd.io', 'v1alpha1*'),
  ];
  const after = cluster({}, { ...linkerd('edge-26.8.3'), definitions });
  expect(onlyPlan(move(new Map([[INDEX_FILE, index]]), after))).toMatchObject({
    cluster: 'unchanged',
    definitions: [],
  });
});

test('a plan reports proxies pinned to an old release as an error', () => {
  const pinned = (version: string) => config({ proxy: { image: { version } } });
  const codes = (before: string, after: string) =>
    compare(pinned(before), pinned(after), ['edge-25.10.7', 'edge-26.8.3']).findings.map(({ problem }) => problem.code);
  expect(codes('edge-25.4.4', 'edge-25.4.4')).toEqual(['proxies-too-old']);
  expect(codes('edge-25.4.4', '')).toEqual(['proxies-too-old']);
  expect(codes('edge-25.10.7', 'edge-25.10.7')).toEqual([]);
  expect(codes('', 'mine-1.2.3')).toEqual([]);
});

test('values of proxies that change without an upgrade require a restart', () => {
  const level = (logLevel: string) => cluster(config({ proxy: { logLevel } }));
  const text = planText(move(level('warn'), level('info')));
  expect(text).toContain('- by you: meshed workloads get the new proxy values when they restart');
});

test('a plan reports no change if only the renderer of a chart changes', () => {
  const values = { 'linkerd/values.yaml': stringifyYaml({ 'linkerd-control-plane': {} }) };
  const chart = { name: 'linkerd-control-plane', version: '1.16.11' };
  const umbrella = { ...values, 'linkerd/Chart.yaml': stringifyYaml({ dependencies: [chart] }) };
  const annotations = {
    'argocd.argoproj.io/sync-wave': '3',
    'argocd.argoproj.io/sync-options': 'ServerSideApply=true',
  };
  const { metadata, ...rest } = deployment('a:1');
  const rendered = { ...rest, metadata: { ...metadata, annotations } };
  const after = cluster({ [IDENTITY]: stringifyYaml(rendered) });
  const plan = onlyPlan(move(cluster(umbrella), after, () => [deployment('a:1')]));
  expect(plan).toMatchObject({ added: [], removed: [], changed: [], findings: [], restarts: [] });
});

test('three hundred equal clusters are one group; new, removed and unchanged ones are listed separately', () => {
  const names = Array.from({ length: 300 }, (_, index) => `cluster-${String(index).padStart(3, '0')}`);
  const fleet = (image: string, release: string) =>
    Object.fromEntries(names.map((name) => [name, cluster(identity(image), linkerd(release))]));
  const same = cluster({}, linkerd('edge-26.8.3'));
  const made = upgradePlan(
    output({ ...fleet('a:1', 'edge-26.8.2'), gone: same, same, büro: same }),
    output({ ...fleet('a:2', 'edge-26.8.3'), new: same, same, büro: same }),
    noChart,
  );
  expect(made.groups.map(({ clusters, plan }) => [clusters.length, plan.cluster])).toEqual([
    [2, 'unchanged'],
    [300, 'changed'],
    [1, 'removed'],
    [1, 'added'],
  ]);
  const text = planText(made);
  expect(text.split('\n').length).toBeLessThan(80);
  expect(text).toContain('## 300 clusters: cluster-000, cluster-001');
  expect(text).toContain('and 292 more');
  expect(text).toContain('## büro, same\n\nNothing changes.');
});

test('a plan between equal outputs is empty', () => {
  const whole = cluster(identity('a:1'), linkerd('edge-26.8.3'));
  expect(move(whole, whole)).toMatchObject({ refused: false, groups: [{ plan: { cluster: 'unchanged' } }] });
});

test('intended errors can be acknowledged, others cannot', () => {
  const jump = move(cluster({}, linkerd('stable-2.14.10')), cluster({}, linkerd('edge-26.8.3')));
  expect(jump.refused).toBe(true);
  expect(acknowledged(jump, ['crd-versions-removed']).refused).toBe(true);
  expect(acknowledged(jump, ['release-lines-skipped']).refused).toBe(false);
  expect(planText(acknowledged(jump, ['release-lines-skipped']))).toContain(
    '**acknowledged**: The control plane moves',
  );
  const [group] = jump.groups;
  if (group === undefined) throw new Error('there is no plan');
  const severity = 'error' as const;
  const findings = [
    { severity, problem: { severity, code: 'immutable-field-changed', what: 'x', why: 'y', fix: 'z' } },
  ];
  const wrong: UpgradePlan = { refused: true, groups: [{ ...group, plan: { ...group.plan, findings } }] };
  expect(acknowledged(wrong, ['immutable-field-changed']).refused).toBe(true);
});

test('a plan shows no key and no password', () => {
  const plan = move(cluster(config({})), cluster(config({ url: 'https://user:hunter2@example.com/' })));
  expect(planText(plan)).toContain('data.values.url');
  expect(planText(plan)).not.toContain('hunter2');
});

test('another trust anchor is the first finding, with steps, whatever else changes', () => {
  const certificate = (name: string, annotations = {}) =>
    stringifyYaml({
      apiVersion: 'cert-manager.io/v1',
      kind: 'Certificate',
      metadata: { name: 'linkerd-identity-issuer', namespace: 'linkerd', annotations },
      spec: { secretName: 'linkerd-identity-issuer', issuerRef: { kind: 'ClusterIssuer', name } },
    });
  const path = 'linkerd/certificate.linkerd-identity-issuer.yaml';
  const moved = compare({ [path]: certificate('vault') }, { [path]: certificate('other') });
  expect(moved.findings[0]).toMatchObject({ severity: 'error', problem: { code: 'anchor-changed' } });
  expect(moved.steps.slice(0, 3).map(({ title }) => title)).toEqual([
    'Trust anchor: check that every pod trusts the root that remains',
    'Trust anchor: the new root signs',
    'Before',
  ]);
  const [, id = ''] = /acceptAnchorChange: "([^"]+)"/.exec(moved.findings[0]?.problem.fix ?? '') ?? [];
  const accepted = certificate('other', { 'cdk8s-linkerd/accepted-anchor-change': `before; ${id}` });
  expect(compare({ [path]: certificate('vault') }, { [path]: accepted }).findings[0]).toMatchObject({
    severity: 'acknowledged',
    problem: { code: 'anchor-changed' },
  });
});

test.each([
  '<img src=x onerror=alert(1)>',
  '![x](https://evil.example.com/x.png)',
  '[here](https://evil.example.com)',
  '</details><script>alert(1)</script>',
  'x\n# heading\n\n```sh\nrm -rf /\n```\n',
  '`code` **bold** ~~gone~~ | a | b |',
  '@everyone #1 https://evil.example.com www.evil.example.com',
  "$(rm -rf ~)'; rm -rf /",
])('a plan contains no markup or command from an output: %j', (nasty) => {
  const object = (value: string) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: nasty, namespace: nasty },
    data: { [nasty]: value, list: [value], lines: `a\n${value}\n` },
  });
  const crd = (versions: readonly string[]) => ({
    name: nasty,
    versions: versions.map((name) => ({ name, served: true, storage: true })),
  });
  const files = (value: string, version: string): Files => ({
    'a/a.yaml': stringifyYaml(object(value)),
    [`${nasty}/Chart.yaml`]: stringifyYaml({ dependencies: [{ name: nasty, version, repository: 'x' }] }),
    [`${nasty}/values.yaml`]: stringifyYaml({ [nasty]: { [nasty]: value } }),
    [`${nasty}/unreadable.yaml`]: value === nasty ? 'a: [' : 'a: 1',
    ...(value === nasty ? {} : { 'gone-x/a.yaml': stringifyYaml(object(value)), [`${nasty}/b.yaml`]: 'a' }),
  });
  const installed = (release: string, versions: readonly string[]) =>
    ({ releases: { controlPlane: release, crds: release }, definitions: [crd(versions)] }) as unknown as Installed;
  const plan = upgradePlan(
    output({ [nasty]: cluster(files('x', '1.0.0'), installed('edge-26.8.2', [nasty, 'v1'])) }),
    output({ [nasty]: cluster(files(nasty, nasty), installed(nasty, ['v1'])) }),
    noChart,
  );
  const text = planText(plan);
  const reader = new MarkdownIt({ html: true, linkify: true });
  reader.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  const tokens = reader.parse(text, {});
  const types = tokens.flatMap(({ type, children }) => [type, ...(children ?? []).map((child) => child.type)]);
  const odd = ['html_block', 'html_inline', 'image', 'link_open', 's_open', 'em_open', 'table_open'];
  expect(types.filter((type) => odd.includes(type))).toEqual([]);
  const headings = tokens.flatMap(({ type, tag }) => (type === 'heading_open' ? [tag] : []));
  expect(headings.filter((tag) => tag !== 'h3')).toEqual(['h1', 'h2']);
});
