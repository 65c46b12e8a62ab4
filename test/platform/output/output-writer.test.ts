import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatIndex, INDEX_FILE, indexOf } from '../../../lib/platform/output/cluster-index';
import { OutputWriter } from '../../../lib/platform/output/output-writer';
import type { Problem } from '../../../lib/validation/problem';
import { fingerprints, readFiles, temporaryDirectory, writeFiles } from './tree-on-disk';

const directory = temporaryDirectory();
const outdir = () => join(directory.path, 'dist');

type Texts = Readonly<Record<string, string>>;

function contents(texts: Texts) {
  const files = new Map(Object.entries(texts));
  return { files, index: indexOf(files.keys(), []) };
}

/** Writes folders, or finds out why not. */
function write(folders: Readonly<Record<string, Texts>>): readonly Problem[] {
  const writer = new OutputWriter(outdir(), false);
  const problems = Object.entries(folders).flatMap(([folder, texts]) => writer.add(folder, contents(texts)));
  if (problems.length > 0) writer.abort();
  else writer.commit();
  return problems;
}

/** What is in a folder of the output, without the index. */
function written(folder = 'home'): Texts {
  const { [INDEX_FILE]: _, ...files } = readFiles(join(outdir(), folder));
  return files;
}

const listed = (folder = 'home') => JSON.parse(readFileSync(join(outdir(), folder, INDEX_FILE), 'utf8')).files;

describe('writing', () => {
  test('makes folders that do not exist, with an index', () => {
    write({ home: { 'linkerd/a.yaml': 'a', 'linkerd/templates/b.yaml': 'b' } });
    expect(written()).toEqual({ 'linkerd/a.yaml': 'a', 'linkerd/templates/b.yaml': 'b' });
    expect(listed()).toEqual(['linkerd/a.yaml', 'linkerd/templates/b.yaml']);
    expect(Object.keys(readFiles(outdir())).filter((path) => !path.startsWith('home/'))).toEqual([]);
  });

  test('also makes a folder of which nothing but the index is known', () => {
    write({ home: {} });
    expect(written()).toEqual({});
    expect(listed()).toEqual([]);
  });

  test('adds, changes and deletes', () => {
    write({ home: { 'a/1.yaml': '1', 'a/2.yaml': '2', 'b/3.yaml': '3' } });
    write({ home: { 'a/1.yaml': 'one', 'a/4.yaml': '4', 'c/d/5.yaml': '5' } });
    expect(written()).toEqual({ 'a/1.yaml': 'one', 'a/4.yaml': '4', 'c/d/5.yaml': '5' });
    expect(listed()).toEqual(['a/1.yaml', 'a/4.yaml', 'c/d/5.yaml']);
  });

  test('touches nothing where nothing changed', () => {
    const folders = { home: { 'a/1.yaml': '1', 'b/2.yaml': '2' }, argocd: { 'x.yaml': 'x' } };
    write(folders);
    const { '': _, ...before } = fingerprints(outdir());
    write(folders);
    expect(fingerprints(outdir())).toEqual(before);
  });

  test('touches only what changed', () => {
    write({ home: { 'a/1.yaml': '1', 'a/2.yaml': '2' } });
    const before = fingerprints(outdir());
    write({ home: { 'a/1.yaml': 'one', 'a/2.yaml': '2' } });
    const after = fingerprints(outdir());
    expect(after['home/a/2.yaml']).toBe(before['home/a/2.yaml']);
    expect(after[`home/${INDEX_FILE}`]).toBe(before[`home/${INDEX_FILE}`]);
    expect(after['home/a/1.yaml']).not.toBe(before['home/a/1.yaml']);
  });

  test('replaces files, rather than writing into them', () => {
    write({ home: { 'a/1.yaml': '1' } });
    chmodSync(join(outdir(), 'home/a/1.yaml'), 0o400);
    write({ home: { 'a/1.yaml': 'one' } });
    expect(written()).toEqual({ 'a/1.yaml': 'one' });
  });

  test('moves a file into a directory of its name, and back', () => {
    write({ home: { 'linkerd/x.yaml': 'x' } });
    write({ home: { 'linkerd/templates/x.yaml': 'x', 'linkerd/Chart.yaml': 'c' } });
    expect(written()).toEqual({ 'linkerd/templates/x.yaml': 'x', 'linkerd/Chart.yaml': 'c' });
    write({ home: { 'linkerd/x.yaml': 'x' } });
    expect(written()).toEqual({ 'linkerd/x.yaml': 'x' });
  });

  test('removes the staging area of a run that was killed', () => {
    writeFiles(outdir(), { '.cdk8s-linkerd-staging/folders/home/a/9.yaml': 'left over' });
    write({ home: { 'a/1.yaml': '1' } });
    expect(Object.keys(readFiles(outdir())).sort()).toEqual(['home/a/1.yaml', `home/${INDEX_FILE}`]);
  });
});

describe('what we did not write', () => {
  test('stays where it is', () => {
    writeFiles(outdir(), { 'home/notes.md': 'n', 'home/a/mine.yaml': 'm', 'other/x.yaml': 'x' });
    write({ home: { 'a/1.yaml': '1', 'b/2.yaml': '2' } });
    write({ home: { 'b/2.yaml': '2' } });
    expect(written()).toEqual({ 'notes.md': 'n', 'a/mine.yaml': 'm', 'b/2.yaml': '2' });
    expect(written('other')).toEqual({ 'x.yaml': 'x' });
  });

  test('is a problem if we are to write there, and nothing is written', () => {
    writeFiles(outdir(), { 'home/a/1.yaml': 'mine' });
    expect(write({ home: { 'a/1.yaml': '1', 'a/2.yaml': '2' } })).toEqual([
      expect.objectContaining({ what: `${join(outdir(), 'home/a/1.yaml')} exists and was not written by us` }),
    ]);
    expect(readFiles(outdir())).toEqual({ 'home/a/1.yaml': 'mine' });
  });

  test('becomes ours if it is what we would write', () => {
    writeFiles(outdir(), { 'home/a/1.yaml': '1' });
    expect(write({ home: { 'a/1.yaml': '1' } })).toEqual([]);
    expect(listed()).toEqual(['a/1.yaml']);
  });

  test.each([
    ['a link in place of a file', () => symlinkSync('/dev/null', join(outdir(), 'home/a/1.yaml')), 'home/a/1.yaml'],
    ['a directory in place of a file', () => mkdirSync(join(outdir(), 'home/a/1.yaml')), 'home/a/1.yaml'],
  ])('%s is in the way', (_, make, obstacle) => {
    mkdirSync(join(outdir(), 'home/a'), { recursive: true });
    make();
    expect(write({ home: { 'a/1.yaml': '1' } })).toEqual([
      expect.objectContaining({ what: expect.stringContaining(`${join(outdir(), obstacle)} is in the way`) }),
    ]);
  });

  test.each(['home', 'home/a'])('a link in place of the directory %s is in the way, and is not followed', (link) => {
    writeFiles(directory.path, { 'elsewhere/keep.yaml': 'k' });
    mkdirSync(join(outdir(), link, '..'), { recursive: true });
    symlinkSync(join(directory.path, 'elsewhere'), join(outdir(), link));
    expect(write({ home: { 'a/1.yaml': '1' } }).length).toBeGreaterThan(0);
    expect(readFiles(join(directory.path, 'elsewhere'))).toEqual({ 'keep.yaml': 'k' });
  });

  test('is not deleted through a link, whatever the index says', () => {
    writeFiles(directory.path, { 'elsewhere/1.yaml': 'k' });
    writeFiles(outdir(), { [`home/${INDEX_FILE}`]: formatIndex(indexOf(['a/1.yaml'], [])) });
    symlinkSync(join(directory.path, 'elsewhere'), join(outdir(), 'home/a'));
    write({ home: { 'b/2.yaml': '2' } });
    expect(readFiles(join(directory.path, 'elsewhere'))).toEqual({ '1.yaml': 'k' });
    expect(listed()).toEqual(['b/2.yaml']);
  });

  test('is not deleted because it has the name of a file that we wrote', () => {
    write({ home: { 'a/1.yaml': '1' } });
    rmSync(join(outdir(), 'home/a/1.yaml'));
    writeFiles(outdir(), { 'home/a/1.yaml/mine.yaml': 'm' });
    write({ home: { 'b/2.yaml': '2' } });
    expect(written()).toEqual({ 'a/1.yaml/mine.yaml': 'm', 'b/2.yaml': '2' });
  });
});

describe('the index', () => {
  test('must be readable, or nothing is written', () => {
    write({ home: { 'a/1.yaml': '1' } });
    writeFileSync(join(outdir(), 'home', INDEX_FILE), 'not JSON');
    expect(write({ home: { 'a/1.yaml': 'one' } })).toEqual([
      expect.objectContaining({
        what: expect.stringContaining('is not JSON'),
        fix: expect.stringContaining('restore it'),
      }),
    ]);
    expect(written()).toEqual({ 'a/1.yaml': '1' });
  });

  test('that lists what is outside of the folder is refused', () => {
    writeFiles(outdir(), {
      'precious.yaml': 'p',
      [`home/${INDEX_FILE}`]: formatIndex(indexOf(['../precious.yaml'], [])),
    });
    expect(write({ home: { 'a/1.yaml': '1' } })).toHaveLength(1);
    expect(existsSync(join(outdir(), 'precious.yaml'))).toBe(true);
  });
});

describe('aborting', () => {
  test('leaves everything as it was', () => {
    write({ home: { 'a/1.yaml': '1' } });
    const before = fingerprints(outdir());
    const writer = new OutputWriter(outdir(), false);
    writer.add('home', contents({ 'a/2.yaml': '2' }));
    writer.add('stable', contents({ 'a/2.yaml': '2' }));
    writer.abort();
    expect(fingerprints(outdir())).toEqual(before);
  });

  test('leaves an output folder that was there, even empty', () => {
    mkdirSync(outdir());
    new OutputWriter(outdir(), false).abort();
    expect(existsSync(outdir())).toBe(true);
  });

  test('removes an output folder that was made for it', () => {
    const writer = new OutputWriter(outdir(), false);
    writer.add('home', contents({ 'a/2.yaml': '2' }));
    writer.abort();
    expect(existsSync(outdir())).toBe(false);
  });
});

describe('checking', () => {
  function check(folders: Readonly<Record<string, Texts>>) {
    const writer = new OutputWriter(outdir(), true);
    for (const [folder, texts] of Object.entries(folders)) writer.add(folder, contents(texts));
    return writer.differences;
  }

  test('finds no difference in what was just written', () => {
    write({ home: { 'a/1.yaml': '1' } });
    expect(check({ home: { 'a/1.yaml': '1' } })).toEqual([]);
  });

  test('lists what is missing, different and extra, and writes nothing', () => {
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

  test('does not make the output folder', () => {
    expect(check({ home: { 'a/1.yaml': '1' } })).toHaveLength(2);
    expect(existsSync(outdir())).toBe(false);
  });
});

describe('folders that are gone', () => {
  test('are those with an index, but for the wanted ones', () => {
    write({ home: { 'a/1.yaml': '1' }, old: { 'a/1.yaml': '1' } });
    writeFiles(outdir(), { 'foreign/x.yaml': 'x' });
    expect(new OutputWriter(outdir(), true).otherFolders(new Set(['home']))).toEqual(['old']);
  });

  test('are removed with all that we wrote', () => {
    write({ home: { 'a/1.yaml': '1' }, old: { 'a/1.yaml': '1', 'b/2.yaml': '2' } });
    const writer = new OutputWriter(outdir(), false);
    writer.remove('old');
    writer.commit();
    expect(Object.keys(readFiles(outdir())).sort()).toEqual(['home/a/1.yaml', `home/${INDEX_FILE}`]);
  });

  test('are counted, as far as they are still there', () => {
    write({ old: { 'a/1.yaml': '1', 'b/2.yaml': '2' } });
    rmSync(join(outdir(), 'old/b/2.yaml'));
    const writer = new OutputWriter(outdir(), true);
    writer.remove('old');
    expect(writer.counts).toEqual({ written: 0, deleted: 2, unchanged: 0 });
    expect(writer.differences.map(({ path }) => path)).toEqual(['old/a/1.yaml', `old/${INDEX_FILE}`]);
  });

  test('keep what we did not write', () => {
    write({ old: { 'a/1.yaml': '1', 'b/2.yaml': '2' } });
    writeFiles(outdir(), { 'old/a/mine.yaml': 'm' });
    const writer = new OutputWriter(outdir(), false);
    writer.remove('old');
    writer.commit();
    expect(readFiles(outdir())).toEqual({ 'old/a/mine.yaml': 'm' });
  });

  test('stay if their index cannot be read', () => {
    writeFiles(outdir(), { [`old/${INDEX_FILE}`]: 'not JSON', 'old/a/1.yaml': '1' });
    expect(new OutputWriter(outdir(), false).remove('old')).toHaveLength(1);
  });
});

test('counts what it does', () => {
  write({ home: { 'a/1.yaml': '1', 'a/2.yaml': '2', 'a/3.yaml': '3' } });
  const writer = new OutputWriter(outdir(), false);
  writer.add('home', contents({ 'a/1.yaml': '1', 'a/2.yaml': 'two', 'a/4.yaml': '4' }));
  writer.commit();
  // Written: 2, 4 and the index.
  expect(writer.counts).toEqual({ written: 3, deleted: 1, unchanged: 1 });
});
