import fs, {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '#base/findings/problem';
import { formatIndex, INDEX_FILE, indexOf } from '#lib/gitops/synth/output/cluster-index';
import { OutputWriter } from '#lib/gitops/synth/output/output-writer';
import { fingerprints, readFiles, temporaryDirectory, writeFiles } from './tree-on-disk';

const directory = temporaryDirectory();
const outdir = () => join(directory.path, 'dist');

type Texts = Readonly<Record<string, string>>;

function contents(texts: Texts) {
  const files = new Map(Object.entries(texts));
  return { files, index: indexOf(files.keys(), []) };
}

function open(check: boolean): OutputWriter {
  const writer = OutputWriter.open(outdir(), check);
  if (writer instanceof OutputWriter) return writer;
  throw new Error(writer.what);
}

/** Writes folders, or returns the problems. */
function write(folders: Readonly<Record<string, Texts>>): readonly Problem[] {
  const writer = open(false);
  const problems = Object.entries(folders).flatMap(([folder, texts]) => writer.add(folder, contents(texts)).problems);
  if (problems.length > 0) writer.abort();
  else writer.commit();
  return problems;
}

/** Returns the files of a folder of the output without the index. */
function written(folder = 'home'): Texts {
  const { [INDEX_FILE]: _, ...files } = readFiles(join(outdir(), folder));
  return files;
}

const listed = (folder = 'home') => JSON.parse(readFileSync(join(outdir(), folder, INDEX_FILE), 'utf8')).files;

describe('writing', () => {
  test('creates the folder of a cluster without files', () => {
    write({ home: {} });
    expect(written()).toEqual({});
    expect(listed()).toEqual([]);
  });

  test('adds, changes and deletes files', () => {
    write({ home: { 'a/1.yaml': '1', 'a/2.yaml': '2', 'b/3.yaml': '3' } });
    write({ home: { 'a/1.yaml': 'one', 'a/4.yaml': '4', 'c/d/5.yaml': '5' } });
    expect(written()).toEqual({ 'a/1.yaml': 'one', 'a/4.yaml': '4', 'c/d/5.yaml': '5' });
    expect(listed()).toEqual(['a/1.yaml', 'a/4.yaml', 'c/d/5.yaml']);
  });

  test('replaces a file with additional text', () => {
    write({ home: { 'a/1.yaml': 'one' } });
    writeFileSync(join(outdir(), 'home/a/1.yaml'), 'one\ntwo');
    write({ home: { 'a/1.yaml': 'one' } });
    expect(written()).toEqual({ 'a/1.yaml': 'one' });
  });

  test('does not touch unchanged files', () => {
    const folders = { home: { 'a/1.yaml': '1', 'b/2.yaml': '2' }, argocd: { 'x.yaml': 'x' } };
    write(folders);
    const { '': _, ...before } = fingerprints(outdir());
    write(folders);
    expect(fingerprints(outdir())).toEqual(before);
  });

  test('replaces a read-only file', () => {
    write({ home: { 'a/1.yaml': '1' } });
    chmodSync(join(outdir(), 'home/a/1.yaml'), 0o400);
    write({ home: { 'a/1.yaml': 'one' } });
    expect(written()).toEqual({ 'a/1.yaml': 'one' });
  });

  test('removes the staging area of a run that was killed', () => {
    writeFiles(outdir(), { '.cdk8s-linkerd-staging/folders/home/a/9.yaml': 'left over' });
    write({ home: { 'a/1.yaml': '1' } });
    expect(Object.keys(readFiles(outdir())).sort()).toEqual(['home/a/1.yaml', `home/${INDEX_FILE}`]);
  });
});

describe('a foreign file in the output', () => {
  test('is kept', () => {
    writeFiles(outdir(), { 'home/notes.md': 'n', 'home/a/mine.yaml': 'm', 'other/x.yaml': 'x' });
    write({ home: { 'a/1.yaml': '1', 'b/2.yaml': '2' } });
    write({ home: { 'b/2.yaml': '2' } });
    expect(written()).toEqual({ 'notes.md': 'n', 'a/mine.yaml': 'm', 'b/2.yaml': '2' });
    expect(written('other')).toEqual({ 'x.yaml': 'x' });
  });

  test('is a problem if synth must write to its path, and synth writes nothing', () => {
    writeFiles(outdir(), { 'home/a/1.yaml': 'mine' });
    const path = join(outdir(), 'home/a/1.yaml');
    expect(write({ home: { 'a/1.yaml': '1', 'a/2.yaml': '2' } })).toEqual([
      expect.objectContaining({ code: 'outdir-refused', cause: 'foreign', parameters: { path } }),
    ]);
    expect(readFiles(outdir())).toEqual({ 'home/a/1.yaml': 'mine' });
  });

  test('belongs to the output if it has the content that synth writes', () => {
    writeFiles(outdir(), { 'home/a/1.yaml': '1' });
    expect(write({ home: { 'a/1.yaml': '1' } })).toEqual([]);
    expect(listed()).toEqual(['a/1.yaml']);
  });

  test.each([
    ['a link in place of a file', () => symlinkSync('/dev/null', join(outdir(), 'home/a/1.yaml')), 'home/a/1.yaml'],
    ['a directory in place of a file', () => mkdirSync(join(outdir(), 'home/a/1.yaml')), 'home/a/1.yaml'],
  ])('is a problem if it is %s', (_, make, obstacle) => {
    mkdirSync(join(outdir(), 'home/a'), { recursive: true });
    make();
    expect(write({ home: { 'a/1.yaml': '1' } })).toMatchObject([
      { code: 'outdir-refused', parameters: { obstacle: join(outdir(), obstacle) } },
    ]);
  });

  test.each(['home', 'home/a'])('is a problem if it is a link in place of %s, which is not followed', (link) => {
    writeFiles(directory.path, { 'elsewhere/keep.yaml': 'k' });
    mkdirSync(join(outdir(), link, '..'), { recursive: true });
    symlinkSync(join(directory.path, 'elsewhere'), join(outdir(), link));
    expect(write({ home: { 'a/1.yaml': '1' } }).length).toBeGreaterThan(0);
    expect(readFiles(join(directory.path, 'elsewhere'))).toEqual({ 'keep.yaml': 'k' });
  });

  test('is not deleted through a link, even if the index lists it', () => {
    writeFiles(directory.path, { 'elsewhere/1.yaml': 'k' });
    writeFiles(outdir(), { [`home/${INDEX_FILE}`]: formatIndex(indexOf(['a/1.yaml'], [])) });
    symlinkSync(join(directory.path, 'elsewhere'), join(outdir(), 'home/a'));
    write({ home: { 'b/2.yaml': '2' } });
    expect(readFiles(join(directory.path, 'elsewhere'))).toEqual({ '1.yaml': 'k' });
    expect(listed()).toEqual(['b/2.yaml']);
  });

  test('is not deleted if its directory has the name of a file that synth wrote', () => {
    write({ home: { 'a/1.yaml': '1' } });
    rmSync(join(outdir(), 'home/a/1.yaml'));
    writeFiles(outdir(), { 'home/a/1.yaml/mine.yaml': 'm' });
    write({ home: { 'b/2.yaml': '2' } });
    expect(written()).toEqual({ 'a/1.yaml/mine.yaml': 'm', 'b/2.yaml': '2' });
  });
});

describe('an index', () => {
  const damage = (text: string) => writeFileSync(join(outdir(), 'home', INDEX_FILE), text);

  /** Writes one folder, and returns the warnings. */
  function rewrite(texts: Texts): readonly Problem[] {
    const writer = open(false);
    const { problems, warnings } = writer.add('home', contents(texts));
    expect(problems).toEqual([]);
    writer.commit();
    return warnings;
  }

  test.each([
    ['emptied', () => ''],
    ['not JSON', () => 'not JSON'],
    ['in another format', () => '{"files": 7}'],
    ['in a merge conflict', (text: string) => `<<<<<<< HEAD\n${text}=======\n    "b/9.yaml"\n>>>>>>> x\n`],
    ['cut off', (text: string) => text.slice(0, text.indexOf('b/2.yaml') - 1)],
  ])('is rewritten with a warning if it is %s', (_, damaged) => {
    write({ home: { 'a/1.yaml': '1', 'b/2.yaml': '2' } });
    damage(damaged(readFileSync(join(outdir(), 'home', INDEX_FILE), 'utf8')));
    expect(rewrite({ 'a/1.yaml': 'one', 'b/2.yaml': '2' })).toMatchObject([
      {
        code: 'index-damaged',
        parameters: {
          index: join(outdir(), 'home', INDEX_FILE),
          damage: expect.stringMatching(/^it (is not JSON|does not have)/),
        },
      },
    ]);
    expect(written()).toEqual({ 'a/1.yaml': 'one', 'b/2.yaml': '2' });
    expect(listed()).toEqual(['a/1.yaml', 'b/2.yaml']);
    expect(rewrite({ 'a/1.yaml': 'one', 'b/2.yaml': '2' })).toEqual([]);
  });

  test('with merge conflicts still lists the files to delete', () => {
    write({ home: { 'a/1.yaml': '1', 'a/2.yaml': '2', 'a/3.yaml': '3' } });
    writeFiles(outdir(), { 'home/a/mine.yaml': 'm' });
    const text = readFileSync(join(outdir(), 'home', INDEX_FILE), 'utf8');
    damage(text.replace('    "a/2.yaml",\n', '<<<<<<< HEAD\n    "a/2.yaml",\n=======\n>>>>>>> theirs\n'));
    expect(rewrite({ 'a/1.yaml': '1' })).toMatchObject([
      { code: 'index-damaged' },
      { code: 'foreign-file', parameters: { files: 'a/mine.yaml' } },
    ]);
    expect(written()).toEqual({ 'a/1.yaml': '1', 'a/mine.yaml': 'm' });
  });

  test('that lists files outside of its folder is not followed', () => {
    writeFiles(outdir(), {
      'precious.yaml': 'p',
      [`home/${INDEX_FILE}`]: formatIndex(indexOf(['../precious.yaml'], [])),
    });
    expect(rewrite({ 'a/1.yaml': '1' })).toMatchObject([
      { parameters: { damage: expect.stringContaining('lists "../precious.yaml"') } },
    ]);
    expect(existsSync(join(outdir(), 'precious.yaml'))).toBe(true);
  });

  test('that is damaged still lists files to delete of a removed cluster, and other files are reported', () => {
    write({ old: { 'a/1.yaml': '1', 'a/2.yaml': '2' } });
    writeFileSync(join(outdir(), 'old', INDEX_FILE), '{ "files": [\n    "a/1.yaml",\n');
    const writer = open(false);
    const { warnings } = writer.remove('old');
    writer.commit();
    expect(warnings).toMatchObject([
      { parameters: { damage: expect.stringContaining('is not JSON') } },
      { code: 'foreign-file', parameters: { folder: join(outdir(), 'old'), files: 'a/2.yaml' } },
    ]);
    expect(readFiles(outdir())).toEqual({ 'old/a/2.yaml': '2' });
  });
});

describe('a foreign file beside the output', () => {
  const OURS = { 'linkerd/a.yaml': 'a', 'viz/Chart.yaml': 'c', 'viz/templates/b.yaml': 'b' };

  /** Returns the foreign files that a check reports. */
  function foreign(files: Texts, ours: Texts = OURS): readonly string[] {
    write({ home: ours });
    writeFiles(join(outdir(), 'home'), files);
    return open(true).add('home', contents(ours)).foreign;
  }

  test.each([
    ['a manifest', 'linkerd/mine.yaml'],
    ['a manifest with another file extension', 'linkerd/mine.JSON'],
    ['a kustomization', 'linkerd/Kustomization'],
    ['a chart', 'linkerd/Chart.yaml'],
    ['parameters of Argo CD', 'linkerd/.argocd-source.yaml'],
    ['a template', 'viz/templates/deep/mine.tpl'],
    ['a chart in a chart', 'viz/charts/x/Chart.yaml'],
    ['a custom resource definition of a chart', 'viz/crds/x.yaml'],
    ['a .helmignore', 'viz/.helmignore'],
    ['a file in a folder that would become an Application', 'mine/x/y.txt'],
  ])('is reported if it is %s', (_, path) => expect(foreign({ [path]: 'x' })).toEqual([path]));

  test.each(['linkerd/README.md', 'linkerd/deep/mine.yaml', 'notes.yaml', '.github/x.yaml', 'viz/README.md'])(
    'is not reported if neither Argo CD nor kubectl reads it: %s',
    (path) => expect(foreign({ [path]: 'x' })).toEqual([]),
  );

  test('is reported in the folder of objects of Argo CD if kubectl reads it', () => {
    const found = foreign({ 'mine.yaml': 'x', 'mine.md': 'x', 'deep/mine.yaml': 'x' }, { 'appproject.a.yaml': 'a' });
    expect(found).toEqual(['mine.yaml']);
  });
});

test('a link in place of a folder is one problem for any number of files in the folder', () => {
  mkdirSync(join(outdir(), 'home'), { recursive: true });
  mkdirSync(join(directory.path, 'elsewhere'));
  symlinkSync(join(directory.path, 'elsewhere'), join(outdir(), 'home/a'));
  expect(write({ home: { 'a/1.yaml': '1', 'a/2.yaml': '2', 'a/b/3.yaml': '3' } })).toHaveLength(1);
});

describe('abort', () => {
  test('restores all files', () => {
    write({ home: { 'a/1.yaml': '1' } });
    const before = fingerprints(outdir());
    const writer = open(false);
    writer.add('home', contents({ 'a/2.yaml': '2' }));
    writer.add('stable', contents({ 'a/2.yaml': '2' }));
    writer.abort();
    expect(fingerprints(outdir())).toEqual(before);
  });

  test('keeps an existing output folder, even if it is empty', () => {
    mkdirSync(outdir());
    open(false).abort();
    expect(existsSync(outdir())).toBe(true);
  });

  test('and a failed open release the lock, even if staged files cannot be deleted', () => {
    const lock = join(directory.path, '.dist.cdk8s-linkerd.lock');
    const writer = open(false);
    writer.add('home', contents({ 'a/1.yaml': '1' }));
    expect(existsSync(lock)).toBe(true);
    const { rmSync: remove } = fs;
    const refusing = jest.spyOn(fs, 'rmSync').mockImplementation((path, options) => {
      if (String(path).includes('staging')) throw Object.assign(new Error('EACCES'), { syscall: 'rmdir' });
      remove(path, options);
    });
    try {
      writer.abort();
      expect(existsSync(lock)).toBe(false);
      expect(() => open(false)).toThrow('EACCES');
      expect(existsSync(lock)).toBe(false);
    } finally {
      refusing.mockRestore();
    }
    expect(write({ home: { 'a/1.yaml': '1' } })).toEqual([]);
    expect(Object.keys(readFiles(outdir()))).toEqual(['home/a/1.yaml', `home/${INDEX_FILE}`]);
  });

  test('removes an output folder that the writer created', () => {
    const writer = open(false);
    writer.add('home', contents({ 'a/2.yaml': '2' }));
    writer.abort();
    expect(existsSync(outdir())).toBe(false);
  });
});

describe('a check', () => {
  function check(folders: Readonly<Record<string, Texts>>) {
    const writer = open(true);
    for (const [folder, texts] of Object.entries(folders)) writer.add(folder, contents(texts));
    return writer.differences;
  }

  test('lists missing, different and extra files, and writes nothing', () => {
    write({ home: { 'a/1.yaml': '1', 'a/2.yaml': '2' } });
    const before = fingerprints(directory.path);
    expect(check({ home: { 'a/1.yaml': 'one', 'a/3.yaml': '3' } })).toEqual([
      { path: 'home/a/3.yaml', difference: 'missing' },
      { path: 'home/a/1.yaml', difference: 'different' },
      { path: `home/${INDEX_FILE}`, difference: 'different' },
      { path: 'home/a/2.yaml', difference: 'extra' },
    ]);
    expect(fingerprints(directory.path)).toEqual(before);
  });
});

describe('folders of removed clusters', () => {
  test('are removed even if the file system cannot move them', () => {
    write({ home: { 'a/1.yaml': '1' }, old: { 'a/1.yaml': '1' } });
    const { renameSync } = fs;
    const rename = jest.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
      // overlayfs fails this way without the option redirect_dir, e.g. in a container.
      if (from === join(outdir(), 'old')) throw Object.assign(new Error('cross-device link'), { code: 'EXDEV' });
      renameSync(from, to);
    });
    const writer = open(false);
    writer.remove('old');
    writer.commit();
    rename.mockRestore();
    expect(readdirSync(outdir())).toEqual(['home']);
  });

  test('are counted by their existing files', () => {
    write({ old: { 'a/1.yaml': '1', 'b/2.yaml': '2' } });
    rmSync(join(outdir(), 'old/b/2.yaml'));
    const writer = open(true);
    writer.remove('old');
    expect(writer.counts).toEqual({ written: 0, deleted: 2, unchanged: 0 });
    expect(writer.differences.map(({ path }) => path)).toEqual(['old/a/1.yaml', `old/${INDEX_FILE}`]);
  });

  test('keep foreign files', () => {
    write({ old: { 'a/1.yaml': '1', 'b/2.yaml': '2' } });
    writeFiles(outdir(), { 'old/a/mine.yaml': 'm' });
    const writer = open(false);
    writer.remove('old');
    writer.commit();
    expect(readFiles(outdir())).toEqual({ 'old/a/mine.yaml': 'm' });
  });
});
