import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { ApiObject, Chart } from 'cdk8s';
import { Deployment } from 'cdk8s-plus-28';
import { Construct } from 'constructs';
import type { Finding } from '#base/findings/finding';
import { CertManagerPKI, type Cluster, LinkerdMesh, Meshing, Platform, SynthError, Warnings } from '#lib';
import { temporaryDirectory } from '../synth/output/tree-on-disk';

const directory = temporaryDirectory();
const FILE = relative('', __filename);

/** Returns the line of this file that ends with a comment. */
function lineOf(mark: string): number {
  const lines = readFileSync(__filename, 'utf8').split('\n');
  return 1 + lines.findIndex((line) => line.endsWith(`// ${mark}`));
}

const POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a', namespace: 'kube-public', annotations: { 'linkerd.io/injekt': 'enabled' } },
  spec: { containers: [{ name: 'a', image: 'a:1' }] },
};

class Shop extends Construct {
  constructor(scope: Construct) {
    super(scope, 'shop');
    new ApiObject(this, 'pod', POD); // an object in a construct of the user
  }
}

const unknown = { odd: true } as never;

/** Builders, by the comment at the line of their finding. */
const BUILDERS: Readonly<Record<string, (cluster: Cluster) => void>> = {
  'a construct of the library': (cluster) => {
    new CertManagerPKI(cluster, 'pki', unknown); // a construct of the library
  },
  'a construct that creates others': (cluster) => {
    new LinkerdMesh(cluster, 'mesh', { pki: unknown }); // a construct that creates others
  },
  'an object': (cluster) => {
    new ApiObject(cluster, 'pod', POD); // an object
  },
  'an object in a construct of the user': (cluster) => {
    new Shop(new Chart(cluster, 'chart'));
  },
  'a workload of cdk8s-plus': (cluster) => {
    const chart = new Chart(cluster, 'chart', { namespace: 'kube-public' });
    const web = new Deployment(chart, 'web', { containers: [{ image: 'a:1' }] }); // a workload of cdk8s-plus
    web.metadata.addAnnotation('linkerd.io/injekt', 'enabled');
  },
  'a construct whose props are refused': (cluster) => {
    new Meshing(cluster, 'meshing', undefined as never); // a construct whose props are refused
  },
};

/** Returns the errors of two clusters with the same builder. */
function errorsOf(build: (cluster: Cluster) => void, places = true): readonly Finding[] {
  const platform = new Platform({ repoUrl: 'https://git.example.com/a.git', outdir: directory.path, argocd: {} });
  for (const name of ['one', 'two']) {
    platform.addCluster(name, { destination: { name } }, build); // the cluster
  }
  try {
    platform.synth({ places });
  } catch (error) {
    if (error instanceof SynthError) return error.findings;
    throw error;
  }
  return [];
}

test.each(Object.entries(BUILDERS))('synth reports a finding at the line of %s', (mark, build) => {
  const found = errorsOf(build).filter(({ path }) => path !== 'one');
  expect(found.map(({ source }) => source)).toContainEqual({ file: FILE, line: lineOf(mark) });
  expect(found.every(({ alsoIn }) => alsoIn === undefined)).toBe(true);
});

test('synth reports a finding of a cluster at the line that adds the cluster', () => {
  const [found] = errorsOf(() => {});
  expect(found).toMatchObject({ path: 'one', source: { file: FILE, line: lineOf('the cluster') } });
});

test('synth reports the lines of two constructs with an equal finding', () => {
  const found = errorsOf((cluster) => {
    new ApiObject(cluster, 'a', POD); // first
    new ApiObject(cluster, 'b', { ...POD, metadata: { ...POD.metadata, name: 'b' } }); // second
    Warnings.of(cluster).acknowledge('certificate-alerts-missing', 'none here');
  }).filter(({ problem }) => problem.code === 'annotation-unknown');
  expect(found).toMatchObject([
    { path: 'one/a', source: { line: lineOf('first') }, alsoIn: [{ line: lineOf('second') }] },
  ]);
});

test('the option places does not change how often linked clusters are built', () => {
  const builtWith = (places: boolean) => {
    const built: string[] = [];
    const platform = new Platform({ repoUrl: 'https://git.example.com/a.git', outdir: directory.path });
    const names = ['a', 'b', 'c'];
    for (const [index, name] of names.entries()) {
      platform.addCluster(name, { destination: { name } }, (cluster) => {
        built.push(name);
        new ApiObject(cluster, 'pod', POD);
        platform.cluster(names[index - 1] ?? name).facts();
      });
    }
    try {
      platform.synth({ places, check: true });
    } catch (error) {
      if (!(error instanceof SynthError)) throw error;
    }
    return built;
  };
  expect(builtWith(true)).toEqual(builtWith(false));
});

test('findings have no places if the program replaces Error.prepareStackTrace', () => {
  const { prepareStackTrace } = Error;
  Error.prepareStackTrace = (_, frames) => frames;
  try {
    const found = errorsOf(BUILDERS['an object'] as (cluster: Cluster) => void);
    expect(found.length).toBeGreaterThan(0);
    expect(found.every(({ source }) => source === undefined)).toBe(true);
  } finally {
    Error.prepareStackTrace = prepareStackTrace;
  }
});

test('findings have no places without the option places', () => {
  const found = errorsOf(BUILDERS['an object'] as (cluster: Cluster) => void, false);
  expect(found.every(({ source }) => source === undefined)).toBe(true);
});
