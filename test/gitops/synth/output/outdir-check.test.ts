import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { INDEX_FILE } from '#lib/gitops/synth/output/cluster-index';
import { checkOutdir } from '#lib/gitops/synth/output/outdir-check';
import { temporaryDirectory, writeFiles } from './tree-on-disk';

const directory = temporaryDirectory();
const at = (path: string) => join(directory.path, path);

test('a folder, one that is yet to be made, and a link to one', () => {
  mkdirSync(at('there'));
  symlinkSync('there', at('link'));
  expect(['there', 'there/deep/down', 'link'].flatMap((path) => checkOutdir(at(path)))).toEqual([]);
});

test('a file, what would be below it, and a link that leads nowhere', () => {
  writeFileSync(at('file'), '');
  symlinkSync('nowhere', at('link'));
  expect(
    ['file', 'file/deep/down', 'link'].flatMap((path) => checkOutdir(at(path))).map(({ parameters }) => parameters),
  ).toEqual([
    { outdir: at('file'), place: at('file') },
    { outdir: at('file/deep/down'), place: at('file') },
    { outdir: at('link'), place: at('link') },
  ]);
});

describe('a folder that is more than an output', () => {
  const codes = (outdir: string) => checkOutdir(outdir).map(({ code }) => code);

  test.each(['/', homedir(), process.cwd(), dirname(process.cwd()), dirname(dirname(process.cwd()))])(
    '%s is refused',
    (outdir) => {
      expect(codes(outdir)).toEqual(['outdir-refused']);
    },
  );

  test('a link to it is refused', () => {
    const link = join(directory.path, 'link');
    symlinkSync('/', link);
    expect(codes(link)).toEqual(['outdir-refused']);
  });

  test('the root of another repository may be an output, and a working directory that has been one may stay one', () => {
    mkdirSync(join(directory.path, '.git'));
    expect(codes(directory.path)).toEqual([]);
    const cwd = jest.spyOn(process, 'cwd').mockReturnValue(directory.path);
    expect(codes(directory.path)).toEqual(['outdir-refused']);
    writeFiles(directory.path, { [`home/${INDEX_FILE}`]: '{}' });
    expect(codes(directory.path)).toEqual([]);
    cwd.mockRestore();
  });
});
