import { ApiObject, Duration } from 'cdk8s';
import { Construct } from 'constructs';
import {
  AppProject,
  type Cluster,
  declareReferences,
  HelmRelease,
  LinkerdConfig,
  Meshing,
  type PinnedChart,
  Prometheus,
  ReconcilerOperator,
  Viz,
} from '#lib';
import { type Build, byHand, exactly, type Mistakes, mesh, rightPlatform } from '../support/bad-input-fixture';

const { refused } = rightPlatform();

/** Casts props of a program without types. */
const untyped = (props: object) => props as never;

const pki = (props: object): Build => {
  return (cluster) => mesh(cluster, { pki: untyped(props) });
};
const viz = (prometheus: object): Build => {
  return (cluster) =>
    new Viz(cluster, 'viz', {
      controlPlane: mesh(cluster).controlPlane,
      prometheus: Prometheus.embedded(untyped(prometheus)),
    });
};
const meshing = (config: object): Build => {
  return (cluster) =>
    new Meshing(cluster, 'meshing', { controlPlane: mesh(cluster).controlPlane }).namespace('shop', untyped(config));
};
const operator = (cluster: Cluster, props: object = {}) =>
  new ReconcilerOperator(cluster, 'operator', untyped({ controlPlane: mesh(cluster).controlPlane, ...props }));

const haMesh = (cluster: Cluster, highAvailability: unknown) =>
  mesh(cluster, { controlPlane: untyped({ highAvailability }) });

type WrongType = readonly [at: string, what: string, build: Build];

const window = (duration: unknown, renewBefore: Duration) => ({ duration, renewBefore });
const byUser = { rotation: 'manual' };
const monitored = { namespace: 'monitoring', interval: '30' };

test.each<[...WrongType, type: string]>([
  [
    'home/pki',
    'identityIssuer.duration is "2 days"',
    pki({ identityIssuer: window('2 days', Duration.hours(25)) }),
    'Duration',
  ],
  [
    'home/pki',
    'trustAnchor.duration is "10y"',
    pki({ trustAnchor: { ...window('10y', Duration.days(365)), ...byUser } }),
    'Duration',
  ],
  [
    'home/linkerd/pod-monitors',
    'monitoring.interval is "30"',
    (cluster) => mesh(cluster, { controlPlane: untyped({ monitoring: monitored }) }),
    'Duration',
  ],
  [
    'home/linkerd',
    'heartbeat is "5 4 * * *"',
    (cluster) => mesh(cluster, { controlPlane: untyped({ heartbeat: '5 4 * * *' }) }),
    'Cron',
  ],
  ['home/viz', 'prometheus.retention is "PT6H"', viz({ retention: 'PT6H' }), 'Duration'],
  ['home/viz', 'prometheus.persistence.size is "10Gi"', viz({ persistence: { size: '10Gi' } }), 'Size'],
  [
    'home/namespace-shop',
    'proxy.waitBeforeExit is "5 s"',
    meshing({ proxy: { waitBeforeExit: '5 s', nativeSidecar: false } }),
    'Duration',
  ],
  ['home/namespace-shop', 'proxy.shutdownGracePeriod is 5', meshing({ proxy: { shutdownGracePeriod: 5 } }), 'Duration'],
  [
    'home/namespace-shop',
    'proxy.connectTimeout.inbound is "-1s"',
    meshing({ proxy: { connectTimeout: { inbound: '-1s' } } }),
    'Duration',
  ],
  [
    'home/operator/monitor',
    'monitoring.interval is "30"',
    (cluster) => operator(cluster, { monitoring: monitored }),
    'Duration',
  ],
])('synth refuses a value of the wrong class at %s: %s', (at, what, build, type) => {
  const [field = '', value = ''] = what.split(' is ');
  expect(refused(build)).toEqual(
    exactly({ at, code: 'wrong-type', cause: 'class', parameters: { field, value, type } }),
  );
});

test.each<readonly [string, string, string, Build]>([
  ['home/linkerd', 'highAvailability is "false"', 'true or false', (cluster) => haMesh(cluster, 'false')],
  ['home/linkerd', 'highAvailability is 0', 'true or false', (cluster) => haMesh(cluster, 0)],
  ['home/namespace-shop', 'proxy.nativeSidecar is "no"', 'true or false', meshing({ proxy: { nativeSidecar: 'no' } })],
  ['home/operator', 'replicas is "2"', 'a number', (cluster) => operator(cluster, { replicas: '2' })],
  [
    'home/config',
    'maxUnavailableWorkloads is "2"',
    'a number',
    (cluster) =>
      new LinkerdConfig(cluster, 'config', untyped({ operator: operator(cluster), maxUnavailableWorkloads: '2' })),
  ],
])('synth refuses a value of the wrong type at %s: %s, but it must be %s', (at, what, expected, build) => {
  const [path = '', value = ''] = what.split(' is ');
  expect(refused(build)).toEqual(
    exactly({ at, code: 'wrong-type', cause: 'value', parameters: { path, value, expected } }),
  );
});

const proposedWindow = (duration: string, renewBefore: string) =>
  `{ duration: Duration.${duration}, renewBefore: Duration.${renewBefore} }`;

test.each<[certificate: string, members: string, proposed: string, given: unknown]>([
  ['identityIssuer', 'duration', proposedWindow('days(6)', 'days(3)'), { renewBefore: '72h' }],
  ['identityIssuer', 'renewBefore', proposedWindow('days(3)', 'hours(25)'), { duration: '72h' }],
  ['identityIssuer', 'renewBefore', proposedWindow('days(3)', 'hours(25)'), '72h'],
  ['identityIssuer', 'duration and renewBefore', proposedWindow('days(2)', 'hours(25)'), {}],
  ['webhooks', 'renewBefore', proposedWindow('days(7)', 'hours(56)'), { duration: Duration.days(7) }],
  ['trustAnchor', 'renewBefore', proposedWindow('days(90)', 'days(30)'), { duration: '2160h', rotation: 'manual' }],
])(
  'synth reports an incomplete validity once, and proposes a complete one: %s has no %s',
  (certificate, members, proposed, given) => {
    expect(refused(pki({ [certificate]: given }))).toEqual(
      exactly({
        at: 'home/pki',
        code: 'validity-refused',
        cause: 'incomplete',
        parameters: { certificate, members, proposed },
      }),
    );
  },
);

test.each([{ duration: '24h' }, { duration: Duration.hours(24) }, '24h'])(
  'synth also proposes an issuanceLifetime for an issuer of one day: %j',
  (identityIssuer) => {
    const kept = '{ duration: Duration.days(1), renewBefore: Duration.hours(12) }';
    const parameters = {
      certificate: 'identityIssuer',
      members: 'renewBefore',
      reach: '24h20s',
      kept,
      lifetime: 'Duration.hours(11)',
      proposed: '{ duration: Duration.days(2), renewBefore: Duration.hours(25) }',
    };
    expect(refused(pki({ identityIssuer }))).toEqual(
      exactly({ at: 'home/pki', code: 'validity-refused', cause: 'incomplete-issuer', parameters }),
    );
    const fitting = { identityIssuer: { duration: '24h', renewBefore: '12h' }, issuanceLifetime: '11h' };
    expect(refused(pki(fitting))).toEqual([]);
  },
);

test('synth refuses a retry.duration that is not a Duration', () => {
  const argocd = { retry: untyped({ duration: 'five', maxDuration: 180 }) };
  const wrong = (field: string, value: string) => ({
    at: 'argocd',
    code: 'wrong-type',
    cause: 'class',
    parameters: { field, value, type: 'Duration' },
  });
  expect(refused((cluster) => mesh(cluster), { props: { argocd } })).toEqual(
    exactly(wrong('retry.duration', '"five"'), wrong('retry.maxDuration', '180')),
  );
});

const CYCLE: Record<string, unknown> = {};
CYCLE.self = CYCLE;
const deep = (levels: number) => {
  let map: object = {};
  for (let level = 0; level < levels; level++) map = { a: map };
  return map;
};
const throwing = Object.defineProperty({}, 'x', {
  enumerable: true,
  get: () => {
    throw new Error('not yet');
  },
});

/** Values with the part that the message shows, and the path of the fault below the value. */
const NOT_PLAIN: readonly (readonly [unknown, shown: string, below?: string])[] = [
  [new Date(0), 'Date'],
  [new Map([['a', 1]]), 'Map'],
  [new Set([1]), 'Set'],
  [new URL('https://example.com'), 'URL'],
  [/a/, 'RegExp'],
  [Buffer.from('a'), 'Buffer'],
  [Duration.hours(1), 'Duration'],
  [10n, 'BigInt'],
  [() => 1, 'function'],
  [Symbol('a'), 'symbol'],
  [Number.NaN, 'NaN'],
  [CYCLE, '', '.self'],
  [deep(20_000), '', '.a.a.a'],
  ['\ud800', ''],
  [throwing, 'not yet', '.x'],
];

const controlPlane = (values: object): Mistakes => ({ controlPlane: untyped({ values }) });
const chart: PinnedChart = {
  name: 'tool',
  version: '1.2.3',
  repository: 'https://charts.example.com',
  kinds: ['apps/Deployment'],
  foreignNamespaces: [],
};
const byHelm = (values: object) => (cluster: Cluster) => {
  const { trust } = mesh(cluster);
  new HelmRelease(trust, 'tool', { chart, namespace: 'linkerd', fromProps: {}, values: untyped(values) });
};

/** Returns all values of NOT_PLAIN under separate keys. */
const all = () => Object.fromEntries(NOT_PLAIN.map(([value], index) => [`v${index}`, value]));
const eachAt = (at: string, before: string) =>
  exactly(
    ...NOT_PLAIN.map(([, shown, below = ''], index) => ({
      at,
      code: 'wrong-type',
      cause: 'plain-data',
      parameters: {
        place: expect.stringContaining(`${before}podLabels.v${index}${below}`),
        value: expect.stringContaining(shown),
      },
    })),
  );

test.each<readonly [string, string, Build]>([
  ['a chart that is rendered', 'home/linkerd', (cluster) => mesh(cluster, controlPlane({ podLabels: all() }))],
  [
    'a chart that Helm inflates',
    'home/cert-manager',
    (cluster) => mesh(cluster, { certManager: untyped({ values: { podLabels: all() } }) }),
  ],
  ['a HelmRelease', 'home/trust/tool', byHelm({ podLabels: all() })],
  [
    'a LinkerdConfig',
    'home/config',
    (cluster) =>
      new LinkerdConfig(cluster, 'config', untyped({ operator: operator(cluster), values: { podLabels: all() } })),
  ],
])('synth refuses values with other than plain data: %s', (_whose, at, build) => {
  expect(refused(build)).toEqual(eachAt(at, 'values.'));
});

test('synth refuses an object that is not plain data', () => {
  const build = (cluster: Cluster) => {
    const { trust } = mesh(cluster);
    const metadata = { name: 'own', namespace: 'linkerd' };
    byHand(cluster, [trust], { apiVersion: 'v1', kind: 'ConfigMap', metadata, podLabels: all() });
  };
  expect(refused(build)).toEqual(eachAt('home/own/ConfigMap', 'ConfigMap linkerd/own: '));
});

test('synth checks the values of patches', () => {
  const { JsonPatch } = jest.requireActual<typeof import('cdk8s')>('cdk8s');
  const build = (cluster: Cluster) => {
    const { trust } = mesh(cluster);
    const own = new ApiObject(new Construct(trust, 'own'), 'map', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'own', namespace: 'linkerd' },
    });
    own.addJsonPatch(JsonPatch.add('/data', { at: 1n }));
  };
  expect(refused(build)).toEqual(
    exactly({
      at: 'home/trust/own/map',
      code: 'wrong-type',
      cause: 'plain-data',
      parameters: { place: 'ConfigMap linkerd/own: data.at', value: expect.stringContaining('BigInt') },
    }),
  );
});

test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
  'synth refuses the unknown key %s among values',
  (key) => {
    const values = JSON.parse(`{"${key}":{"a":1}}`) as object;
    expect(refused((cluster) => mesh(cluster, controlPlane(values)))).toEqual(
      exactly({ at: 'home/linkerd/chart', code: 'chart-value-refused', cause: 'unknown', parameters: { path: key } }),
    );
  },
);

test('synth refuses the key "constructor", which cdk8s cannot write', () => {
  const build = (cluster: Cluster) => {
    const { trust } = mesh(cluster);
    byHand(cluster, [trust], {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'own', namespace: 'linkerd' },
      data: { constructor: 'a' },
    });
  };
  expect(refused(build)).toEqual(
    exactly({
      at: 'home/own/ConfigMap',
      code: 'wrong-type',
      cause: 'plain-data',
      parameters: { place: 'ConfigMap linkerd/own: data', value: expect.stringContaining('"constructor"') },
    }),
  );
});

test.each([
  'ConfigMap',
  'cert-manager.io/v1/Certificate',
  'v1/ConfigMap/x',
  'apps/deployment',
  'apps/',
  '',
  '/',
  'Apps/Deployment',
  'apps/ Deployment',
])('synth refuses the kind %j of a chart', (kind) => {
  const build = (cluster: Cluster) => {
    const { trust } = mesh(cluster);
    const kinds = ['/ConfigMap', kind] as never;
    new HelmRelease(trust, 'tool', { chart: { ...chart, kinds }, namespace: 'linkerd', fromProps: {} });
  };
  expect(refused(build)).toEqual(
    exactly({
      at: 'home/trust/tool',
      code: 'reference-refused',
      cause: 'group-kind',
      parameters: { field: expect.stringContaining('kinds[1]'), value: JSON.stringify(kind) },
    }),
  );
});

test('synth refuses an invalid group or kind in an AppProject', () => {
  const build = (cluster: Cluster) => {
    const { trust } = mesh(cluster);
    new AppProject(trust, 'project', {
      name: 'mesh',
      namespace: 'linkerd',
      sourceRepos: ['https://git.example.com/a'],
      destinations: [],
      clusterResources: [
        { group: '', kind: 'Namespace' },
        { group: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' },
      ],
      namespacedResources: [
        { group: '*', kind: '*' },
        { group: 'apps', kind: 'deployments' },
      ],
    });
  };
  const wrong = (field: string, value: string) => ({
    at: 'home/trust/project',
    code: 'reference-refused',
    cause: 'group-kind',
    parameters: { field: expect.stringContaining(field), value: expect.stringContaining(value) },
  });
  expect(refused(build)).toEqual(
    exactly(
      wrong('clusterResources[1]', '"rbac.authorization.k8s.io/v1"'),
      wrong('namespacedResources[1]', '"deployments"'),
    ),
  );
});

test.each([236, 240, 253])('synth refuses a project with a name of %i characters', (length) => {
  const argocd = { project: 'a'.repeat(length) };
  expect(refused((cluster) => mesh(cluster), { props: { argocd } })).toEqual(
    exactly({ at: 'argocd', code: 'name-too-long', parameters: { length, most: 255, excess: length - 230 } }),
  );
});

const { kinds: _, ...withoutKinds } = chart;

test.each<[string, string, object, Build]>([
  ['home/operator', 'wrong-type', { path: 'namespaces' }, (home) => operator(home, { namespaces: 'shop' })],
  [
    'home/operator',
    'wrong-type',
    { path: 'installerFieldManagers' },
    (home) => operator(home, { installerFieldManagers: 'argocd' }),
  ],
  ['home/operator', 'wrong-type', { path: 'monitoring' }, (home) => operator(home, { monitoring: true })],
  [
    'home/linkerd',
    'wrong-type',
    { path: 'monitoring' },
    (home) => mesh(home, { controlPlane: untyped({ monitoring: true }) }),
  ],
  ['home/linkerd/chart', 'wrong-type', { path: 'values' }, (home) => mesh(home, controlPlane(true as never))],
  ['home/tool', 'chart-incomplete', { missing: 'kinds' }, (home) => release(home, withoutKinds)],
  ['home/own', 'wrong-type', { path: 'requires[0]' }, (home) => requiring(home, [{ kind: 'Secret' }])],
  ['home/own', 'wrong-type', { path: 'requires' }, (home) => requiring(home, 'Secret')],
])('the only finding at %s is %s %j', (at, code, parameters, build) => {
  expect(refused(build)).toMatchObject([{ path: at, code, parameters }]);
});
test('synth reports a number as trust domain at its prop, and at the value of the chart', () => {
  expect(refused((home) => void mesh(home, { pki: untyped({ trustDomain: 42 }) }))).toMatchObject([
    {
      path: 'home/pki',
      code: 'name-invalid',
      parameters: { field: 'trustDomain', value: expect.stringContaining('42') },
    },
    { path: 'home/linkerd/chart', code: 'chart-value-refused', cause: 'invalid' },
  ]);
});

test.each([
  [null, 0],
  [[null], 1],
  ['Secret', 1],
])('the prop external of a cluster, set to %j, has problems: %d', (external, count) => {
  expect(refused((home) => mesh(home), { cluster: untyped({ external }) })).toHaveLength(count);
});

function release(home: Cluster, given: object): void {
  mesh(home);
  new HelmRelease(home, 'tool', { chart: untyped(given), namespace: 'linkerd' });
}

function requiring(home: Cluster, requires: unknown): void {
  mesh(home);
  declareReferences(new Construct(home, 'own'), untyped({ requires }));
}
