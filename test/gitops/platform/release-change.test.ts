import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outputInFolder } from '#bin/folder-output';
import { Platform, type PlatformProps } from '#lib/gitops/platform/platform';
import { SynthError } from '#lib/gitops/platform/report';
import { INDEX_FILE } from '#lib/gitops/synth/output/cluster-index';
import type { Cluster } from '#lib/gitops/tree/cluster';
import type { LinkerdVersion } from '#lib/linkerd/releases/known-releases';
import { releaseOf } from '#lib/linkerd/releases/release';
import { upgradePlan } from '#lib/review/upgrade/plan';
import { component, configMap, release } from '../../support/cluster-fixture';
import { readFiles, temporaryDirectory } from '../synth/output/tree-on-disk';

const directory = temporaryDirectory();
const outdir = () => join(directory.path, 'dist');

/** A cluster with the charts of a release. */
const linkerd = (version: LinkerdVersion) => (cluster: Cluster) => {
  const { crds, controlPlane } = releaseOf(version).charts;
  release(component(cluster, 'crds', 'linkerd-crds'), 'chart', 'linkerd-crds', { chart: crds });
  release(component(cluster, 'linkerd'), 'chart', 'linkerd', { chart: controlPlane });
};

function platform(builds: Readonly<Record<string, (cluster: Cluster) => void>>, props: Partial<PlatformProps> = {}) {
  const made = new Platform({ repoUrl: 'https://git.example.com/platform.git', outdir: outdir(), ...props });
  for (const [name, build] of Object.entries(builds)) made.addCluster(name, { destination: { name } }, build);
  return made;
}

function errorsOf(synth: () => unknown): readonly string[] {
  try {
    synth();
  } catch (error) {
    if (error instanceof SynthError) return error.findings.map(({ path, problem }) => `${path} ${problem.code}`);
    throw error;
  }
  return [];
}

const [OLD, NEW] = ['stable-2.14.10', 'edge-26.8.3'] as const;
const REASON = 'tried in staging';

test('a jump over minor versions is refused, and nothing is written, until it is acknowledged', () => {
  platform({ home: linkerd(OLD) }).synth();
  const before = readFiles(outdir());
  const jump = { home: linkerd(NEW) };
  for (const check of [false, true, false]) {
    expect(errorsOf(() => platform(jump).synth({ check }))).toEqual(['home release-lines-skipped']);
  }
  expect(readFiles(outdir())).toEqual(before);
  const report = platform(jump, { acknowledge: { 'release-lines-skipped': REASON } }).synth();
  expect(report.warnings.map(({ problem }) => problem.code)).toEqual(['release-changed']);
  expect(report.acknowledged).toBe(1);
  // The output is that of the new release now: an acknowledgement that stays would take the next jump without a word.
  const next = platform(jump, { acknowledge: { 'release-lines-skipped': REASON } }).synth({ check: true });
  expect(next.warnings.map(({ problem }) => problem.code)).toEqual(['acknowledged-nothing']);
  expect(platform(jump).synth({ check: true })).toMatchObject({ warnings: [], differences: [] });
});

test('a draft has what would be written, and upgrade plan compares it', () => {
  platform({ home: linkerd(OLD) }).synth();
  const before = readFiles(outdir());
  const draft = join(directory.path, 'draft');
  for (const _ of [1, 2]) expect(errorsOf(() => platform({ home: linkerd(NEW) }).synth({ draft }))).toEqual([]);
  expect(readFiles(outdir())).toEqual(before);
  const { groups } = upgradePlan(outputInFolder(outdir()), outputInFolder(draft), () => undefined);
  expect(groups.find(({ clusters }) => clusters.includes('home'))?.plan).toMatchObject({
    cluster: 'changed',
    findings: [{ problem: { code: 'release-lines-skipped' } }],
  });
  // Other errors are errors of a draft, too.
  const broken = { home: (cluster: Cluster) => void configMap(cluster, 'a', 'lost') };
  expect(errorsOf(() => platform(broken).synth({ draft }))).toEqual(['home/config-map-a reference-missing']);
  for (const wrong of [outdir(), '', 1 as never]) {
    expect(errorsOf(() => platform({ home: linkerd(NEW) }).synth({ draft: wrong }))).toEqual([
      'platform argument-refused',
    ]);
  }
});

test('an index with the marks of a merge tells what both sides have in common', () => {
  const index = join(outdir(), 'home', INDEX_FILE);
  const edit = (change: (text: string) => string) => writeFileSync(index, change(readFileSync(index, 'utf8')));
  platform({ home: linkerd(OLD) }).synth();
  edit((text) => text.replace('  "files"', '<<<<<<< HEAD\n=======\n>>>>>>> theirs\n  "files"'));
  expect(errorsOf(() => platform({ home: linkerd(NEW) }).synth())).toEqual(['home release-lines-skipped']);
  edit((text) =>
    text.replaceAll(/^ *"linkerd.*stable-.*\n/gm, (line) => `${line}${line.replace(/stable-[^"]*/, NEW)}`),
  );
  expect(errorsOf(() => platform({ home: linkerd(NEW) }).synth())).toEqual([]);
});
