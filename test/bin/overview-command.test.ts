import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { overview } from '#bin/overview-command';
import { temporaryDirectory, writeFiles } from '../gitops/synth/output/tree-on-disk';
import { runInMemory } from './fake-terminal';

const directory = temporaryDirectory();

interface Fields {
  readonly ring?: string;
  readonly release?: string;
  readonly open?: readonly string[];
  readonly acknowledged?: readonly string[];
}

function index({ ring, release, open = [], acknowledged = [] }: Fields = {}): string {
  const warning = { path: '', what: 'w', why: 'y', fix: 'f' };
  return JSON.stringify({
    writer: 'cdk8s-linkerd 0.1.0',
    charts: [],
    files: [],
    ...(ring && { ring }),
    ...(release && { releases: [`linkerd-control-plane ${release}`] }),
    warnings: [
      ...open.map((code) => ({ ...warning, code })),
      ...acknowledged.map((code) => ({ ...warning, code, reason: 'known' })),
    ],
  });
}

function shown(files: Readonly<Record<string, string>>): string {
  writeFiles(directory.path, files);
  let text = '';
  const write = (part: string) => {
    text += part;
  };
  expect(overview(directory.path, { write }, () => write('THE HELP\n'))).toBe(0);
  return text;
}

const commandsIn = (text: string) =>
  [...text.matchAll(/^ {2}(npx cdk8s-linkerd.*?) {2,}\S/gm)].map(([, command]) => command);

test('the overview of an output lists its clusters, and three commands', () => {
  const text = shown({
    '.git/HEAD': '',
    'dist/argocd/cdk8s-linkerd.index': index(),
    'dist/home/cdk8s-linkerd.index': index({ release: 'edge-26.8.3', acknowledged: ['dashboard-open'] }),
    'dist/shop/cdk8s-linkerd.index': index({ ring: 'canary', open: ['mesh-unscraped', 'rings-not-staged'] }),
  });
  expect(text).toBe(`dist: 2 clusters

  CLUSTER  RING    LINKERD      WARNINGS
  home     -       edge-26.8.3  none
  shop     canary  -            2: mesh-unscraped, rings-not-staged

Next:
  npx cdk8s-linkerd explain mesh-unscraped  explain the first warning
  npx cdk8s-linkerd diff                    show what changed since the default branch
  npx cdk8s-linkerd report                  write a page about the clusters
`);
});

test.each([
  ['without warnings', {}, ['diff --to out', 'report --from out', 'status --from out']],
  ['outside of a repository', { git: false }, ['report --from out', 'status --from out', 'images --from out']],
  ['in "my out"', { folder: 'my out' }, ["diff --to 'my out'", "report --from 'my out'", "status --from 'my out'"]],
  ['that is the working directory', { folder: '.' }, ['diff --to .', 'report --from .', 'status --from .']],
  ['in the default folder', { folder: 'dist' }, ['diff', 'report', 'status']],
])(
  'the overview prints commands for an output %s',
  (_, { git = true, folder = 'out' }: { git?: boolean; folder?: string }, commands) => {
    const text = shown({ ...(git && { '.git/HEAD': '' }), [`${folder}/home/cdk8s-linkerd.index`]: index() });
    expect(commandsIn(text)).toEqual(commands.map((command) => `npx cdk8s-linkerd ${command}`));
  },
);

test('the command line without arguments prints the overview of the working directory', async () => {
  const { code, stdout, stderr } = await runInMemory([]);
  expect({ code, stderr, first: stdout.split('\n')[0] }).toEqual({ code: 0, stderr: '', first: 'dist: 2 clusters' });
});

test('the overview describes dist first, and lists other outputs', () => {
  const text = shown({
    'a/home/cdk8s-linkerd.index': index(),
    'dist/home/cdk8s-linkerd.index': index(),
    'node_modules/x/cdk8s-linkerd.index': index(),
    '.cache/x/cdk8s-linkerd.index': index(),
  });
  expect(text).toContain('dist: 1 cluster\n');
  expect(text).toContain('Other outputs: a\n');
});

test('the overview shows missing fields of an index, and a damaged index', () => {
  const text = shown({
    'dist/old/cdk8s-linkerd.index': JSON.stringify({ writer: 'x', charts: [], files: [] }),
    'dist/merged/cdk8s-linkerd.index': '<<<<<<< HEAD',
    'dist/evil\u001b[31m\n::error::/cdk8s-linkerd.index': index({ open: ['\u001b[2J'] }),
  });
  expect(text).toMatch(/old .*not recorded/);
  expect(text).toMatch(/merged .*the index is damaged: synthesize again/);
  expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  expect(text).not.toMatch(/^\s*::/m);
  // The overview prints no command for an invalid code.
  expect(text).not.toContain('explain \\u');
});

test('the overview of a large fleet lists the clusters with the most warnings, and counts the others', () => {
  const clusters = Array.from({ length: 200 }, (_, number) => [
    `dist/c${number}/cdk8s-linkerd.index`,
    index({ open: number === 150 ? ['mesh-unscraped'] : [] }),
  ]);
  const text = shown(Object.fromEntries(clusters));
  expect(text).toMatch(/^ {2}CLUSTER.*\n {2}c150 /m);
  expect(text).toContain('  and 180 more clusters\n');
});

test.each([
  ['an empty folder', {}, 'with "init" after it'],
  ['a folder with other files', { 'a/b.yaml': '', 'dist/x.yaml': '' }, 'with "init" after it'],
  ['a folder with main.ts and no output', { 'main.ts': '' }, 'npx tsx main.ts'],
  ['a folder with linkerd.ts and no output', { 'linkerd.ts': '' }, 'npx tsx linkerd.ts'],
])('the overview in %s prints the help and how to begin', (_, files, command) => {
  const text = shown(files);
  expect(text).toContain('THE HELP');
  expect(text).toContain(command);
  // Without an installed package, npx would download one of this name.
  expect(text).not.toContain('npx cdk8s-linkerd');
});

test('the overview does not treat a broken link or a file as an output', () => {
  symlinkSync('nowhere', join(directory.path, 'dist'));
  symlinkSync('loop', join(directory.path, 'loop'));
  mkdirSync(join(directory.path, 'c'));
  symlinkSync('../a', join(directory.path, 'c', 'link-to-file'));
  mkdirSync(join(directory.path, 'b', 'cdk8s-linkerd.index'), { recursive: true });
  expect(shown({ a: 'text' })).toContain('THE HELP');
});
