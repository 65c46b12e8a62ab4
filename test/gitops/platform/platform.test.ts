import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Duration } from 'cdk8s';
import { Construct } from 'constructs';
import { parse } from 'yaml';
import type { Problem } from '#base/findings/problem';
import { Platform, type PlatformProps } from '#lib/gitops/platform/platform';
import { SynthError } from '#lib/gitops/platform/report';
import { INDEX_FILE } from '#lib/gitops/synth/output/cluster-index';
import { addRule, Warnings } from '#lib/gitops/tree/add-rule';
import type { Cluster } from '#lib/gitops/tree/cluster';
import { tellOthers } from '#lib/gitops/tree/cluster-facts';
import type { Transform, TransformedObject } from '#lib/gitops/tree/transform';
import { component, configMap, release } from '../../support/cluster-fixture';
import { fingerprints, readFiles, temporaryDirectory, writeFiles } from '../synth/output/tree-on-disk';

const directory = temporaryDirectory();
const outdir = () => join(directory.path, 'dist');

type Builds = Readonly<Record<string, (cluster: Cluster) => void>>;

function platform(builds: Builds, props: Partial<PlatformProps> = {}): Platform {
  const made = new Platform({ repoUrl: 'https://git.example.com/platform.git', outdir: outdir(), ...props });
  for (const [name, build] of Object.entries(builds)) made.addCluster(name, { destination: { name } }, build);
  return made;
}

/** A cluster with one ConfigMap. */
const shop =
  (data: Record<string, string> = {}) =>
  (cluster: Cluster) => {
    configMap(component(cluster, 'shop'), 'settings', 'shop', data);
  };
const PROBLEM: Problem = {
  severity: 'error',
  code: 'it-is-wrong',
  what: 'It is wrong',
  why: 'It would break',
  fix: 'do better',
};
const WARNING: Problem = { ...PROBLEM, severity: 'warning', code: 'certificate-alerts-missing' };
const wrong = (cluster: Cluster) => addRule(component(cluster, 'shop'), () => [PROBLEM]);

/** Returns the path, code and parameters of each error of a synthesis. */
function problemsOf(synth: () => unknown): readonly object[] {
  try {
    synth();
  } catch (error) {
    if (!(error instanceof SynthError)) throw error;
    return error.findings.map(({ path, alsoAt = [], problem: { code, parameters } }) => ({
      path: [path, ...alsoAt].join(', '),
      code,
      parameters,
    }));
  }
  return [];
}

const names = () => Object.keys(readFiles(outdir())).sort();

describe('synth', () => {
  test('warns of an unused address of a cluster in a fleet', () => {
    const fleet = new Platform({
      repoUrl: 'https://git.example.com/platform.git',
      outdir: outdir(),
      argocd: { fleet: {} },
    });
    fleet.addCluster('home', { destination: { server: 'https://10.0.0.1:6443' } }, shop());
    fleet.addCluster('stable', {}, shop());
    expect(fleet.synth().warnings).toEqual([
      {
        severity: 'warning',
        path: 'home',
        problem: expect.objectContaining({
          code: 'destination-unused',
          parameters: { cluster: 'home', server: 'https://10.0.0.1:6443' },
        }),
      },
    ]);
  });

  test('touches no file at a second run', () => {
    platform({ home: shop(), stable: shop() }).synth();
    const before = fingerprints(outdir());
    expect(platform({ home: shop(), stable: shop() }).synth()).toMatchObject({ written: 0, deleted: 0, unchanged: 10 });
    expect(fingerprints(outdir())).toEqual(before);
  });

  test('writes the names of charts to the index', () => {
    platform({ home: (cluster) => release(component(cluster, 'mesh'), 'proxy', 'mesh') }).synth();
    expect(JSON.parse(readFileSync(join(outdir(), 'home', INDEX_FILE), 'utf8')).charts).toEqual(['proxy 1.2.3']);
  });

  test('reports no warning that a construct acknowledges, and counts it', () => {
    const build = (cluster: Cluster) => {
      addRule(component(cluster, 'shop'), () => [WARNING]);
      Warnings.of(cluster).acknowledge('certificate-alerts-missing', 'somebody else watches them');
    };
    expect(platform({ home: build }).synth()).toMatchObject({ warnings: [], acknowledged: 1 });
  });

  test('records warnings in the index, except warnings about existing files', () => {
    const build = (cluster: Cluster) => {
      addRule(component(cluster, 'shop'), () => [WARNING]);
      Warnings.of(cluster).acknowledge('certificate-alerts-missing', 'somebody else watches them');
    };
    platform({ home: build }).synth();
    const index = () => readFileSync(join(outdir(), 'home', INDEX_FILE), 'utf8');
    const { severity: _, ...recorded } = WARNING;
    expect(JSON.parse(index()).warnings).toEqual([
      { ...recorded, path: 'home/shop', reason: 'somebody else watches them' },
    ]);
    writeFiles(outdir(), { 'home/shop/of-others.yaml': 'a: b\n' });
    const { warnings } = platform({ home: build }).synth();
    expect(warnings.map(({ problem }) => problem.code)).toEqual(['foreign-file']);
    expect(JSON.parse(index()).warnings).toHaveLength(1);
  });

  test.each([
    [{ 'certificate-alerts-missing': ' ' }, 'acknowledgement-refused', 'certificate-alerts-missing'],
    [{ 'no-alarms': 'why not' }, 'acknowledgement-refused', 'no-alarms'],
    [{ toString: 'why not' }, 'acknowledgement-refused', 'toString'],
  ])('refuses to acknowledge %j', (acknowledge, refused, warning) => {
    const props = { acknowledge } as Partial<PlatformProps>;
    expect(problemsOf(() => platform({ home: shop() }, props).synth())).toMatchObject([
      { path: 'platform', code: refused, parameters: { code: warning } },
    ]);
    const [[code, reason] = ['', '']] = Object.entries(acknowledge);
    const build = (cluster: Cluster) => Warnings.of(cluster).acknowledge(code as 'certificate-alerts-missing', reason);
    expect(problemsOf(() => platform({ home: build }).synth())[0]).toMatchObject({
      code: 'build-failed',
      parameters: { error: expect.stringContaining(`"${warning}"`) },
    });
  });

  test.each<[string, object, (cluster: Cluster) => void]>([
    [
      'a duplicate id',
      { parameters: { id: 'a', scope: 'Cluster [home]', place: expect.stringContaining('platform.test.ts') } },
      (cluster) => {
        new Construct(cluster, 'a');
        new Construct(cluster, 'a');
      },
    ],
    ...[
      ['48h', "Duration.days(2), or '48h'"],
      ['90 min', "Duration.minutes(90), or '1h30m'"],
      ['7d', "Duration.days(7), or '168h'"],
      ['soon', "Duration.hours(48), or '48h'"],
    ].map(([text = '', proposed]): [string, object, () => void] => [
      `a duration in another notation: ${text}`,
      { parameters: { text, proposed, place: expect.stringContaining('platform.test.ts') } },
      () => Duration.parse(text),
    ]),
  ])('names the cause of an exception in a construct or cdk8s: %s', (_, problem, build) => {
    expect(problemsOf(() => platform({ home: build }).synth())).toMatchObject([
      { path: 'home', code: 'build-failed', ...problem },
    ]);
  });

  describe('with a transform', () => {
    const team: Transform = (object, { cluster = 'argocd' }) => {
      object.metadata.labels = { ...object.metadata.labels, team: cluster };
    };

    test('applies that of the platform before that of a cluster, and also to objects of Argo CD', () => {
      const own: Transform = (object) => {
        object.metadata.labels = { ...object.metadata.labels, own: object.metadata.labels?.team ?? '' };
      };
      const made = platform({}, { transform: team });
      made.addCluster('home', { transform: own }, shop());
      made.addCluster('edge', { destination: { name: 'edge' } }, shop());
      made.synth();
      const files = readFiles(outdir());
      expect(parse(files['home/shop/configmap.settings.yaml'] ?? '').metadata.labels).toEqual({
        team: 'home',
        own: 'home',
      });
      expect(parse(files['edge/shop/configmap.settings.yaml'] ?? '').metadata.labels).toEqual({ team: 'edge' });
      const argocd = Object.entries(files).filter(([path]) => /^argocd.*\.yaml$/.test(path));
      expect(argocd.length).toBeGreaterThan(2);
      for (const [, text] of argocd) expect(parse(text).metadata.labels).toMatchObject({ team: 'argocd' });
    });

    const specOf = (object: TransformedObject) => object.spec as Record<string, unknown>;

    test.each<[string, string, unknown]>([
      ['AppProject', 'destinations', [{ namespace: '*', server: '*' }]],
      ['AppProject', 'sourceRepos', ['*']],
      ['AppProject', 'clusterResourceWhitelist', undefined],
      ['AppProject', 'namespaceResourceWhitelist', [{ group: '*', kind: '*' }]],
      ['ApplicationSet', 'generators', []],
    ])('refuses changes of permissions of Argo CD: %s, %s', (kind, field, value) => {
      const transform: Transform = (object) => {
        if (object.kind === kind) object.spec = { ...specOf(object), [field]: value };
      };
      expect(problemsOf(() => platform({ home: shop() }, { transform }).synth())).toMatchObject([
        { path: 'argocd', code: 'transform-refused', parameters: { field: `spec.${field}` } },
      ]);
    });
  });

  test('reports foreign files that Argo CD applies with the output, unless acknowledged', () => {
    platform({ home: shop() }).synth();
    writeFiles(outdir(), { 'home/shop/sealed.yaml': '' });
    const foreign = { path: 'home/shop/sealed.yaml', difference: 'foreign' };
    expect(platform({ home: shop() }).synth({ check: true })).toMatchObject({
      differences: [foreign],
      warnings: [{ path: 'home', problem: { code: 'foreign-file' } }],
    });
    const known = (cluster: Cluster) => {
      shop()(cluster);
      Warnings.of(cluster).acknowledge('foreign-file', 'sealed by the team of the shop');
    };
    expect(platform({ home: known }).synth({ check: true })).toMatchObject({ differences: [], warnings: [] });
    expect(platform({ home: known }).synth()).toMatchObject({ written: 0, acknowledged: 1 });
    expect(names()).toContain('home/shop/sealed.yaml');
  });

  test('deletes removed clusters, and reports that', () => {
    platform({ home: shop(), stable: shop() }).synth();
    expect(platform({ home: shop() }).synth().removedClusters).toEqual(['stable']);
    expect(existsSync(join(outdir(), 'stable'))).toBe(false);
    expect(names()).not.toContain('argocd/applicationset.linkerd-mesh-stable.yaml');
  });

  test('passes the options to Argo CD objects', () => {
    platform({ home: shop() }, { argocd: { project: 'mesh' }, path: 'clusters', revision: 'main' }).synth();
    const set = readFileSync(join(outdir(), 'argocd/applicationset.mesh-home.yaml'), 'utf8');
    expect(set).toContain('path: clusters/home/*');
    expect(set).toContain('revision: main');
  });
});

describe('after an error in a cluster,', () => {
  test('the next synthesis builds all clusters again', () => {
    let isBroken = true;
    const found: unknown[] = [];
    const linked: Platform = platform({
      east: (cluster) => {
        shop()(cluster);
        found.push(linked.cluster('west').facts()?.get('place'));
      },
      west: (cluster) => {
        if (isBroken) throw new Error('not yet');
        shop()(cluster);
        tellOthers(cluster, 'place', () => place);
      },
    });
    let place = 'here';
    expect(problemsOf(() => linked.synth())).toMatchObject([{ path: 'west', code: 'build-failed' }]);
    isBroken = false;
    linked.synth();
    place = 'there';
    linked.synth();
    expect(found).toEqual([undefined, ['here'], ['there']]);
  });

  test('exceptions in other clusters and in objects of Argo CD are reported, too', () => {
    const broken = platform(
      { home: shop(), stable: wrong },
      { argocd: { ignoreDifferences: [{ kind: 'Secret', jsonPointers: [5 as never] }] } },
    );
    const unreadable = () => {
      throw new TypeError('unreadable');
    };
    broken.addCluster('fresh', { destination: new Proxy({}, { get: unreadable }) as never }, shop());
    const error = expect.stringMatching(/^TypeError/);
    expect(problemsOf(() => broken.synth())).toMatchObject([
      { path: 'stable/shop', code: 'it-is-wrong' },
      { path: 'fresh', code: 'build-failed', parameters: { error } },
      { path: 'argocd', code: 'build-failed', parameters: { error } },
    ]);
  });
});

describe('the rules for names of clusters', () => {
  test.each([
    ['Home', 'name-invalid'],
    ['../etc', 'name-invalid'],
    ['argocd', 'cluster-name-taken'],
  ])('refuse the name %s', (name, code) => {
    expect(problemsOf(() => platform({ [name]: shop() }).synth())).toContainEqual(
      expect.objectContaining({ path: name, code }),
    );
  });

  test('refuse two clusters with the same name', () => {
    const made = platform({ home: shop() });
    made.addCluster('home', { destination: { name: 'other' } }, shop());
    expect(problemsOf(() => made.synth())).toContainEqual({
      path: 'home',
      code: 'cluster-name-taken',
      parameters: { name: 'home', owner: 'another cluster' },
    });
  });

  test('refuse a platform without clusters', () => {
    expect(problemsOf(() => platform({}).synth())).toContainEqual({
      path: 'platform',
      code: 'clusters-missing',
      parameters: {},
    });
  });
});

describe('the option only of synth', () => {
  test('must name a cluster of the platform', () => {
    expect(problemsOf(() => platform({ home: shop(), stable: shop() }).synth({ only: 'stabel' }))).toEqual([
      {
        path: 'platform',
        code: 'cluster-unknown',
        parameters: { pattern: 'stabel', clusters: 'home, stable', similar: 'stable' },
      },
    ]);
    expect(existsSync(outdir())).toBe(false);
  });
});

describe('a list of patterns in the option only', () => {
  const builds = { one: shop(), two: shop({ a: '2' }), three: shop({ a: '3' }), four: shop() };

  test('selects several clusters', () => {
    expect(platform(builds).synth({ only: ['t*', 'one'] }).clusters).toEqual(['one', 'two', 'three']);
  });
});
