import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { outputInFolder } from '#bin/folder-output';
import { deployedOutputs } from '#bin/ring-outputs';
import { INDEX_FILE } from '#lib/gitops/synth/output/cluster-index';
import { ringsByCluster } from '#lib/review/status/intent';
import { temporaryDirectory, writeFiles } from '../gitops/synth/output/tree-on-disk';
import { commitAll, gitIn } from './git-repository';

const RINGS = [
  { name: 'canary' },
  { name: 'early', revision: 'ring/early' },
  { name: 'late', path: 'promoted/late' },
  { name: 'last', revision: 'ring/early', path: 'promoted/last' },
];

const RING_OF = { one: 'canary', two: 'early', three: 'late', four: 'last' };

const directory = temporaryDirectory();
const repository = () => join(directory.path, 'repository');
const dist = () => join(repository(), 'dist');

const git = (...args: readonly string[]) => gitIn(repository(), ...args);
const commit = () => commitAll(repository());

/** Writes the output of clusters with one file each. */
function write(folder: string, ringOf: Readonly<Record<string, string>>, version: string): void {
  const index = (rest: object) => JSON.stringify({ writer: 'x', charts: [], files: [], ...rest });
  const clusters = Object.entries(ringOf).flatMap(([name, ring]) => [
    [`${name}/${INDEX_FILE}`, index({ ring, files: ['a/configmap.b.yaml'] })],
    [`${name}/a/configmap.b.yaml`, version],
  ]);
  writeFiles(
    join(repository(), folder),
    Object.fromEntries([...clusters, [`argocd/${INDEX_FILE}`, index({ rings: RINGS })]]),
  );
}

beforeEach(() => {
  mkdirSync(repository());
  git('init', '--quiet', '--initial-branch', 'main');
  write('dist', RING_OF, 'older');
  write('promoted/last', { four: 'last' }, 'older');
  commit();
  git('branch', 'ring/early');
  rmSync(join(repository(), 'promoted'), { recursive: true });
  write('promoted/late', { three: 'late' }, 'older');
  write('dist', { ...RING_OF, five: 'early' }, 'newer');
  commit();
});

/** Returns for each cluster the deployed version, its folder, and codes of findings. */
function deployed(): Readonly<Record<string, readonly unknown[]>> {
  const output = outputInFolder(dist());
  const found = deployedOutputs(ringsByCluster(output), dist(), output);
  return Object.fromEntries(
    [...found].map(([name, { texts, folder, findings }]) => [
      name,
      [
        texts.get('a/configmap.b.yaml'),
        folder?.slice(repository().length + 1),
        ...findings.map(({ problem }) => problem.code),
      ],
    ]),
  );
}

test('deployedOutputs reads the output that the ring of each cluster deploys: a revision, a folder, or both', () => {
  expect(deployed()).toEqual({
    two: ['older', undefined],
    three: ['older', 'promoted/late'],
    four: ['older', undefined],
    five: [undefined, undefined, 'cluster-unpromoted'],
  });
});

test('deployedOutputs prefers a branch of origin to the local one, which may be behind', () => {
  git('update-ref', 'refs/remotes/origin/ring/early', 'main');
  expect(deployed()).toMatchObject({ two: ['newer', undefined], five: ['newer', undefined] });
});

test.each<[string, string, () => void]>([
  ['the revision does not exist', 'two', () => git('branch', '-D', 'ring/early')],
  ['the folder does not exist', 'three', () => rmSync(join(repository(), 'promoted'), { recursive: true })],
  ['the output is in no repository', 'three', () => rmSync(join(repository(), '.git'), { recursive: true })],
  [
    'the index at the revision is damaged',
    'two',
    () => {
      git('switch', '--quiet', 'ring/early');
      writeFiles(dist(), { [`two/${INDEX_FILE}`]: '<<<<<<< HEAD' });
      commit();
      git('switch', '--quiet', 'main');
    },
  ],
])('if %s, deployedOutputs returns the working directory’s output and a finding', (_where, cluster, breakIt) => {
  breakIt();
  expect(deployed()[cluster]).toEqual(['newer', 'dist', 'ring-output-unread']);
});
