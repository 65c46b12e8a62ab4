import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { headline, type Problem } from '#base/findings/problem';
import { type FleetFileOptions, readFleet } from '#lib/constructs/fleet/fleet-file';
import type { JsonSchema } from '#lib/constructs/fleet/fleet-schema';
import { Platform } from '#lib/gitops/platform/platform';
import { SynthError } from '#lib/gitops/platform/report';
import { readFiles, temporaryDirectory } from '../../gitops/synth/output/tree-on-disk';
import { component, configMap } from '../../support/cluster-fixture';
import { sampled } from '../../support/depth';
import { expectLinear } from '../../support/growth';
import { writeLinkerdCharts } from '../../support/linkerd-charts';

const directory = temporaryDirectory();

function written(text: string | Uint8Array): string {
  const file = join(directory.path, 'fleet.yaml');
  writeFileSync(file, text);
  return file;
}

function read<Settings>(text: string | Uint8Array, options: FleetFileOptions<Settings> = {}) {
  return readFleet<Settings>(written(text), options);
}

/** Returns the code, text, place in the file and remedy of each problem. */
function problemsIn(text: string | Uint8Array, options: FleetFileOptions<unknown> = {}): readonly string[] {
  return foundIn(text, options).map(
    ({ at, fix, ...problem }) => `${problem.code}: ${headline(problem)} (${at}) Fix: ${fix}`,
  );
}

type Found = Problem & { readonly at: string };

/** Returns the problems, each with its line and column in the file. */
function foundIn(text: string | Uint8Array, options: FleetFileOptions<unknown> = {}): readonly Found[] {
  try {
    read(text, options);
  } catch (error) {
    if (!(error instanceof SynthError)) throw error;
    return error.findings.map(({ problem, source }) => ({ ...problem, at: `${source?.line}:${source?.column}` }));
  }
  return [];
}

/** Returns an expected finding by its place, code and parameters. */
function at(place: string, code: string, parameters: object): object {
  return { code, parameters, at: place };
}

/** Returns the expected finding about an entry that the schema of fleet files refuses. */
function misfit(place: string, path: string, parameters: object): object {
  return at(place, 'fleet-entry-invalid', { path, ...parameters });
}

const FLEET = `
$schema: ./node_modules/cdk8s-linkerd/schemas/fleet.schema.json
defaults:
  domain: cluster.local
  release: '2.19'
  settings:
    viz: { replicas: 1, hosts: [a, b] }
    logs: plain
rings:
  - name: canary
    release: edge-26.8.3
    settings: { viz: { replicas: 2 }, logs: null }
  - { name: rest, revision: ring/rest, domain: rest.local }
clusters:
  - { name: home, ring: canary, destination: { server: https://kubernetes.default.svc } }
  - name: east
    ring: rest
    destination: { name: east }
    settings: { viz: { hosts: [c] }, own: true }
  - { name: west, ring: rest, destination: { name: west }, domain: west.local, release: '2.20', settings: }
`;

const sourceAt = (line: number) => ({ file: relative('', join(directory.path, 'fleet.yaml')), line });

test('settings of a cluster override those of its ring, which override the defaults', () => {
  expect(read(FLEET)).toEqual({
    rings: [
      { name: 'canary', release: 'edge-26.8.3' },
      { name: 'rest', revision: 'ring/rest', release: '2.19' },
    ],
    clusters: [
      {
        name: 'home',
        ring: 'canary',
        destination: { server: 'https://kubernetes.default.svc' },
        domain: 'cluster.local',
        release: 'edge-26.8.3',
        settings: { viz: { replicas: 2, hosts: ['a', 'b'] } },
        source: sourceAt(15),
      },
      {
        name: 'east',
        ring: 'rest',
        destination: { name: 'east' },
        domain: 'rest.local',
        release: '2.19',
        settings: { viz: { replicas: 1, hosts: ['c'] }, logs: 'plain', own: true },
        source: sourceAt(16),
      },
      {
        name: 'west',
        ring: 'rest',
        destination: { name: 'west' },
        domain: 'west.local',
        release: '2.20',
        settings: { viz: { replicas: 1, hosts: ['a', 'b'] }, logs: 'plain' },
        source: sourceAt(20),
      },
    ],
  });
});

test('a platform reads clusters and rings from a fleet file', () => {
  const fleet = read<{ readonly viz: { readonly replicas: number } }>(FLEET);
  const outdir = join(directory.path, 'dist');
  const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git', outdir, rings: fleet.rings });
  const references = platform.addClusters(fleet.clusters, (cluster, { viz }) => {
    const other = platform.cluster(cluster.name === 'home' ? 'east' : 'home');
    const data = {
      replicas: `${viz.replicas}`,
      release: String(cluster.release),
      other: `${other.name}.${other.domain}`,
    };
    configMap(component(cluster, 'shop'), 'settings', 'shop', data);
  });
  expect(references.map(({ name }) => name)).toEqual(['home', 'east', 'west']);
  platform.synth();
  const text = readFiles(outdir)['home/shop/configmap.settings.yaml'];
  expect(text).toMatch(/other: east\.rest\.local\n\s+release: edge-26\.8\.3\n\s+replicas: "2"/);
  expect(() => platform.cluster('wesst')).toThrow('There is no cluster "wesst": did you mean "west"?');
});

test('a fleet file may be JSON', () => {
  expect(read('{"clusters": [{"name": "home"}]}').clusters).toEqual([
    { name: 'home', settings: {}, source: sourceAt(1) },
  ]);
});

test('a builder cannot change the fleet settings of another cluster', () => {
  const { clusters } = read<{ viz: { hosts: string[] } }>(FLEET);
  expect(() => clusters[0]?.settings.viz.hosts.push('x')).toThrow(TypeError);
});

test('all problems of a fleet file are reported at once, each with its place', () => {
  expect(
    foundIn(`
defaults: { realease: '2.19' }
rings:
  - name: canary
  - name: canary
    path: 7
clusters:
  - { name: Home, ring: canari }
  - { name: east, release: edge-26.8.4 }
  - { name: east, ring: canary, setings: {} }
  - ring: canary
    destination: {}
`),
  ).toMatchObject([
    misfit('2:13', 'defaults.realease', { is: 'unknown' }),
    misfit('6:5', 'path', { is: 'described-type', value: '7', expected: 'a folder in the repository' }),
    misfit('8:7', 'name', {
      is: 'schema-description',
      value: '"Home"',
      expected: expect.stringMatching(/^a DNS label/),
    }),
    at('9:19', 'version-unknown', { path: 'release', release: '"edge-26.8.4"' }),
    misfit('10:33', 'setings', { is: 'unknown' }),
    misfit('11:5', 'name', { is: 'missing' }),
    misfit('12:5', 'destination', { is: 'schema-keyword', value: '{}' }),
    at('5:5', 'ring-refused', { name: 'canary', other: 'rings[0]' }),
    at('10:7', 'cluster-name-taken', { name: 'east', other: 'clusters[1]' }),
    at('8:19', 'ring-unknown', { ring: 'canari', similar: 'canary' }),
    at('9:5', 'ring-missing', { ring: 'canary' }),
  ]);
});

test('a wrong ring hides no problems of clusters in other rings', () => {
  const settings: JsonSchema = { type: 'object', required: ['size'], properties: { size: { type: 'number' } } };
  const fleet = `
rings: [{ name: canary, settings: { size: 1 } }]
clusters:
  - { name: a, ring: canari }
  - { name: b }
  - { name: c, ring: canary, settings: { size: big } }
`;
  expect(foundIn(fleet, { settings })).toMatchObject([
    { code: 'ring-unknown', place: 'cluster a' },
    { code: 'ring-missing', place: 'cluster b' },
    { code: 'settings-invalid', parameters: { path: 'size' }, place: 'c' },
  ]);
});

test.each([
  ['', 'fleet-file-refused'],
  ['# nothing\n', 'fleet-file-refused'],
  ['~', 'fleet-file-refused'],
  ['[]', 'fleet-entry-invalid'],
  ['fleet', 'fleet-entry-invalid'],
  ['clusters: []', 'fleet-entry-invalid'],
  ['rings: []', 'fleet-entry-invalid'],
  ['clusters: [', 'fleet-file-refused'],
  ['clusters: [{ name: a }]\n---\n', 'fleet-file-refused'],
  ['clusters: [{ name: a }]\nclusters: []', 'fleet-file-refused'],
  ['clusters: [{ name: !!js/function a }]', 'fleet-file-refused'],
  ['clusters: [{ name: a, settings: { ? [x] : 1 } }]', 'fleet-file-refused'],
  ['clusters: [{ name: a, settings: *b }]', 'fleet-file-refused'],
  ['clusters: &a [*a]', 'fleet-file-refused'],
  ['clusters: [{ name: a, settings: { key: &x { y: *x } } }]', 'fleet-file-refused'],
  ['clusters: [{ name: a, <<: { ring: b } }]', 'fleet-entry-invalid'],
  ['clusters: [{ name: a, __proto__: { ring: b } }]', 'fleet-entry-invalid'],
])('a fleet file is refused if it is %j', (text, code) => {
  const problems = problemsIn(text);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(new RegExp(`^${code}:`));
});

test('a fleet file with a release that YAML reads as a number is refused', () => {
  expect(foundIn('clusters: [{ name: a, release: 2.20 }]')).toMatchObject([
    at('1:23', 'version-unknown', { path: 'release', release: '2.2', meant: '2.20' }),
  ]);
});

test('a fleet file that is missing or not text is one problem', () => {
  expect(() => readFleet(join(directory.path, 'nothing.yaml'))).toThrow(/file-unreadable/);
  expect(() => readFleet(directory.path)).toThrow(/file-unreadable/);
  expect(problemsIn(new Uint8Array([0xff, 0xfe, 0x00]))[0]).toMatch(/^file-unreadable/);
});

test('a fleet file whose aliases expand to billions of values is refused before expansion', () => {
  const levels = Array.from({ length: 12 }, (_, index) => {
    const below = index === 0 ? 'x' : `*a${index - 1}`;
    return `  a${index}: &a${index} [${Array(10).fill(below).join(', ')}]`;
  });
  expect(foundIn(`defaults:\n settings:\n${levels.join('\n')}\nclusters: [{ name: a }]`)).toMatchObject([
    { code: 'fleet-file-refused', cause: 'aliases' },
  ]);
});

test('a fleet file that is nested too deeply is a problem, not a crash', () => {
  expect(problemsIn(`clusters: ${'['.repeat(50_000)}`)[0]).toMatch(/^fleet-file-refused/);
});

test('a thousand clusters may share a YAML anchor', () => {
  const clusters = Array.from({ length: 1000 }, (_, index) => `  - { name: c${index}, settings: *common }`);
  const { clusters: read1000 } = read(
    `defaults:\n  settings: &common { a: { b: [1, 2] } }\nclusters:\n${clusters.join('\n')}\n`,
  );
  expect(read1000).toHaveLength(1000);
  expect(read1000[999]?.settings).toEqual({ a: { b: [1, 2] } });
});

test('a fleet file may have keys that are members of every JavaScript object', () => {
  const { clusters } = read('clusters: [{ name: a, settings: { __proto__: { x: 1 }, constructor: 2 } }]');
  expect(Object.entries(clusters[0]?.settings ?? {})).toEqual([
    ['__proto__', { x: 1 }],
    ['constructor', 2],
  ]);
  expect(({} as { x?: number }).x).toBeUndefined();
});

describe('settings with a JSON Schema', () => {
  const SCHEMA: JsonSchema = {
    type: 'object',
    additionalProperties: false,
    required: ['replicas'],
    properties: {
      replicas: { type: 'integer', minimum: 1 },
      logs: { enum: ['json', 'plain'], default: 'json' },
      zones: { type: 'array', items: { $ref: '#/definitions/zone' } },
    },
    definitions: { zone: { type: 'string', pattern: '^[a-z]$' } },
  };

  test('are checked after they are merged, and get the defaults of the schema', () => {
    const { clusters } = read<{ replicas: number; logs: string }>(
      'defaults: { settings: { replicas: 2 } }\nclusters: [{ name: a, settings: { zones: [x] } }, { name: b, settings: { logs: plain } }]',
      { settings: SCHEMA },
    );
    expect(clusters.map(({ settings }) => settings)).toEqual([
      { replicas: 2, zones: ['x'], logs: 'json' },
      { replicas: 2, logs: 'plain' },
    ]);
  });

  test('that are wrong are reported once, at their place in the file, for all clusters that inherit them', () => {
    const text = `
defaults: { settings: { replicas: 0 } }
rings: [{ name: rest, settings: { zones: [x, YY] } }]
clusters:
  - { name: a, ring: rest }
  - { name: b, ring: rest, settings: { replicas: 1, zone: [x] } }
  - { name: c, ring: rest, settings: { replicas: null } }
`;
    expect(problemsIn(text, { settings: SCHEMA })).toEqual([
      expect.stringMatching(/^settings-invalid: a: settings: replicas is 0, .* \(2:25\)/),
      expect.stringMatching(/^settings-invalid: a, b, c: settings: zones\[1\] is "YY", .* \(3:46\)/),
      'settings-invalid: b: settings: zone is not known (6:53) Fix: did you mean zones?',
      expect.stringMatching(/^settings-invalid: c: settings: replicas is missing \(7:40\)/),
    ]);
  });

  test.each(['2019-09', '2020-12'])('may follow draft %s', (draft) => {
    const settings = {
      $schema: `https://json-schema.org/draft/${draft}/schema`,
      properties: { a: { $ref: '#/$defs/a' } },
      $defs: { a: { type: 'string' } },
      unevaluatedProperties: false,
    };
    expect(problemsIn('clusters: [{ name: a, settings: { a: b } }]', { settings })).toEqual([]);
    expect(problemsIn('clusters: [{ name: a, settings: { b: a } }]', { settings })).toHaveLength(1);
  });

  test.each([
    { type: 'nonsense' },
    { $ref: 'https://example.com/schema.json' },
    { pattern: '(' },
    { $ref: '#' },
    { allOf: [{ $ref: '#' }] },
    { $ref: '#/definitions/a', definitions: { a: { anyOf: [{ type: 'string' }, { $ref: '#/definitions/a' }] } } },
    { properties: { a: { $ref: '#/properties/b' }, b: { not: { $ref: '#/properties/a' } } } },
    { $async: true, type: 'object' },
  ])('that is invalid, %j, are refused', (settings) => {
    expect(problemsIn('clusters: [{ name: a }]', { settings })[0]).toMatch(/^settings-refused/);
  });
});

test('the JSON Schema of settings may refer to itself', () => {
  const settings = { properties: { children: { type: 'array', items: { $ref: '#' } }, $ref: { type: 'string' } } };
  expect(problemsIn('clusters: [{ name: a, settings: { children: [{ children: [] }] } }]', { settings })).toEqual([]);
  expect(problemsIn('clusters: [{ name: a, settings: { children: [{ children: 1 }] } }]', { settings })).toHaveLength(
    1,
  );
});

test.each([
  ['an async function', async () => ({})],
  ['an async function that rejects', async () => Promise.reject(new Error('no'))],
  // biome-ignore lint/suspicious/noThenProperty: the test needs a thenable
  ['a function that returns a thenable', () => ({ then: (_: unknown) => undefined })],
])('synth refuses %s as the check of settings', async (_, settings) => {
  expect(foundIn('clusters: [{ name: a }, { name: b }]', { settings })).toMatchObject([
    { code: 'settings-refused', place: 'a, b' },
  ]);
});

test.each([null, 5, 'schema.json', true, []])('synth refuses the value %j as the check of settings', (settings) => {
  expect(problemsIn('clusters: [{ name: a }]', { settings: settings as never })[0]).toMatch(/^settings-refused/);
});

test('a function of the program may convert settings to its own type, or refuse them', () => {
  const settings = (given: unknown, cluster: string) => {
    const { replicas } = given as { readonly replicas?: number };
    if (replicas === undefined) throw new Error(`${cluster} has no replicas, and password=hunter2`);
    return { replicas, at: new Date(replicas) };
  };
  const { clusters } = read('clusters: [{ name: a, settings: { replicas: 3 } }]', { settings });
  expect(clusters[0]?.settings.at.getTime()).toBe(3);
  const problems = foundIn('clusters: [{ name: a }, { name: b, settings: { replicas: 3 } }]', { settings });
  expect(problems).toMatchObject([{ code: 'settings-refused', what: expect.stringContaining('a has no replicas') }]);
  expect(JSON.stringify(problems)).not.toContain('hunter2');
});

test('a secret in a fleet file is refused, and not shown', () => {
  const key = `-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\\n-----END PRIVATE KEY-----`;
  const problems = foundIn(
    `clusters: [{ name: a, settings: { tls: "${key}", url: 'https://me:hunter2@git.example.com' } }]`,
  );
  expect(problems.map(({ code }) => code)).toEqual(['secret-in-file', 'secret-in-file']);
  expect(JSON.stringify(problems)).not.toMatch(/MIIE|hunter2/);
  const [wrong = ''] = problemsIn('clusters: [{ name: a, settings: { password: hunter2 } }]', {
    settings: { properties: { password: { type: 'integer' } } },
  });
  expect(wrong).toMatch(/^settings-invalid/);
  expect(wrong).not.toContain('hunter2');
});

test('the time to read a fleet file is linear in the number of clusters', () => {
  const text = (count: number) =>
    `rings: [{ name: rest }]\nclusters:\n${Array.from({ length: count }, (_, index) => `  - { name: c${index}, ring: rest, settings: { a: { b: ${index} }, c: [1, 2, 3] } }`).join('\n')}\n`;
  const settings = { properties: { a: { type: 'object' } } };
  expectLinear((count) => {
    expect(read(text(count), { settings }).clusters).toHaveLength(count);
  }, 40);
});

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');

const FAULTY: readonly (readonly [string, (count: number) => string])[] = [
  ['unknown keys', (count) => `clusters:\n${lines(count, (index) => `  - { name: c${index}, rnig: x }`)}`],
  [
    'unknown rings',
    (count) =>
      `rings:\n${lines(count, (index) => `  - { name: r${index} }`)}\nclusters:\n${lines(count, (index) => `  - { name: c${index}, ring: x${index} }`)}`,
  ],
  ['equal names', (count) => `clusters:\n${lines(count, () => '  - { name: c }')}`],
  [
    'wrong settings',
    (count) => `clusters:\n${lines(count, (index) => `  - { name: c${index}, settings: { a: ${index} } }`)}`,
  ],
];

test.each(sampled(FAULTY))('a fleet file full of %s is read in linear time, and gives a short message', (_, text) => {
  const settings = { properties: { a: { type: 'string' } } };
  const message = (count: number) => {
    try {
      read(text(count), { settings });
      return '';
    } catch (error) {
      return error instanceof Error ? error.message : '';
    }
  };
  expectLinear((count) => expect(message(count)).toContain('Nothing was written'), 40);
  expect(message(2000)).toMatch(/ and 1\d{3} more\b/);
  expect(message(2000).length).toBeLessThan(60_000);
});

test('the size limit of a fleet file counts shared settings for each cluster', () => {
  const settings = (values: number) => `[${Array.from({ length: values }, () => 1).join(', ')}]`;
  const text = (values: number, clusters: number) =>
    `defaults: { settings: { a: ${settings(values)} } }\nclusters:\n${lines(clusters, (index) => `  - { name: c${index} }`)}`;
  const aliases = `x: &x ${settings(1000)}`;
  expect(foundIn(text(20_000, 400))).toMatchObject([{ code: 'fleet-file-refused', parameters: { size: 8_001_200 } }]);
  const shared = `defaults:\n  settings:\n    ${aliases}\n    y: [${Array.from({ length: 50 }, () => '*x').join(', ')}]\nclusters:\n${lines(200, (index) => `  - { name: c${index} }`)}`;
  expect(problemsIn(shared)[0]).toMatch(/^fleet-file-refused/);
  expect(read(text(200, 400)).clusters).toHaveLength(400);
});

test('each cluster and each alias gets its own copy of a list of settings', () => {
  const text = `
defaults: { settings: { hosts: [a] } }
clusters:
  - { name: east, settings: { x: &x [{}], y: *x } }
  - { name: west }
`;
  const add = (given: unknown, cluster: string) => {
    const settings = given as { readonly hosts: string[] };
    settings.hosts.push(cluster);
    return settings;
  };
  expect(read(text, { settings: add }).clusters.map(({ settings }) => settings?.hosts)).toEqual([
    ['a', 'east'],
    ['a', 'west'],
  ]);
  const items = (name: string) => ({ items: { properties: { [name]: { default: 1 } }, additionalProperties: false } });
  const schema = { type: 'object', properties: { x: items('p'), y: items('q') } };
  expect(read(text, { settings: schema }).clusters[0]?.settings).toMatchObject({ x: [{ p: 1 }], y: [{ q: 1 }] });
});

test.each(['!!set { a, b }', '!!timestamp 2026-01-01', '!!binary aGk=', '!!omap [a: 1]'])(
  'a fleet file may not contain %s',
  (value) => {
    expect(foundIn(`clusters: [{ name: home, settings: { a: ${value} } }]`)).toMatchObject([
      { code: 'fleet-file-refused', parameters: { message: expect.stringContaining('is not a value of JSON') } },
    ]);
  },
);

test('a fleet file may use the YAML tags of JSON types', () => {
  const text = 'clusters: [{ name: home, settings: !!map { a: !!str 1, b: ! x, c: !!seq [!!int 1] } }]';
  expect(read(text).clusters[0]?.settings).toEqual({ a: '1', b: 'x', c: [1] });
});

test('a fleet file may have links, external objects and a release from charts', () => {
  const charts = join(directory.path, 'charts');
  mkdirSync(charts);
  writeLinkerdCharts(charts, { version: 'edge-26.12.1' });
  const { rings, clusters } = read(`
defaults:
  external: [{ crd: httproutes.gateway.networking.k8s.io }]
rings:
  - name: early
    release: { version: edge-26.12.1, charts: ${charts}, injectorLike: edge-26.8.3, proxyVersion: edge-26.12.2 }
  - name: rest
clusters:
  - { name: east, ring: early, destination: { name: east }, links: [west] }
  - { name: west, ring: rest, external: [{ secret: shop/token }, { clusterIssuer: vault }], links: [] }
`);
  expect(rings[0]?.release).toMatchObject({
    version: 'edge-26.12.1',
    injectorLike: 'edge-26.8.3',
    proxyVersion: 'edge-26.12.2',
  });
  expect(clusters).toMatchObject([
    {
      name: 'east',
      links: ['west'],
      release: { version: 'edge-26.12.1' },
      external: [{ kind: 'CustomResourceDefinition', name: 'httproutes.gateway.networking.k8s.io' }],
    },
    {
      name: 'west',
      links: [],
      external: [
        { kind: 'Secret', namespace: 'shop', name: 'token' },
        { kind: 'ClusterIssuer', name: 'vault' },
      ],
    },
  ]);
  const seen: string[] = [];
  const platform = new Platform({
    repoUrl: 'https://git.example.com/platform.git',
    rings,
    outdir: join(directory.path, 'dist'),
  });
  platform.addClusters(clusters, (cluster) => {
    seen.push(`${cluster.name}: ${cluster.links.map((name) => platform.cluster(name).name).join()}`);
    configMap(component(cluster, 'a', 'shop'), 'a', 'shop');
  });
  platform.synth();
  expect(seen).toEqual(['east: west', 'west: ']);
});

test.each<[cluster: string, problem: string]>([
  ['{ name: a, links: b }', 'fleet-entry-invalid: cluster a: links is "b", not a list of names'],
  [
    '{ name: a, external: [{ secret: token }] }',
    'fleet-entry-invalid: cluster a: external[0].secret is "token", but it must be the namespace and name of a Secret',
  ],
  ['{ name: a, external: [{ secrt: a/b }] }', 'fleet-entry-invalid: cluster a: external[0].secrt is not known'],
  ['{ name: a, external: [{ secret: a/b, crd: c }] }', 'cluster a: external[0] is'],
  ['{ name: a, release: { version: edge-26.12.1 } }', 'fleet-entry-invalid: cluster a: release.charts is missing'],
  [
    '{ name: a, release: { version: edge-26.12.1, charts: nowhere, injectorLike: edge-1 } }',
    'version-unknown: cluster a: release.injectorLike is "edge-1"',
  ],
  [
    '{ name: a, release: { version: latest, charts: nowhere } }',
    'release-charts-refused: cluster a: Release.fromCharts was given the release "latest"',
  ],
  [
    '{ name: a, release: { version: edge-26.12.1, charts: nowhere } }',
    'chart-not-rendered: cluster a: chart linkerd-control-plane: the folder of charts, nowhere, has no charts.lock.yaml',
  ],
  ['{ name: a, release: { version: 2026, charts: nowhere } }', 'cluster a: release.version is 2026'],
  ['{ name: a, release: null }', 'cluster a: release is null'],
])('a fleet file is refused with %s', (cluster, problem) => {
  expect(problemsIn(`clusters:\n  - ${cluster}\n  - { name: b }`).join('\n')).toContain(problem);
});

test.each(['c', 'a'])('cluster a cannot link to cluster %s', (link) => {
  expect(foundIn(`clusters: [{ name: a, links: [b, ${link}] }, { name: b }]`)).toMatchObject([
    { code: 'cluster-unknown', place: 'cluster a', parameters: link === 'a' ? {} : { link } },
  ]);
});
