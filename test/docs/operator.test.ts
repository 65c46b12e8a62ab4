import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { RUN_FLAGS } from '#operator/src/run-options';

const root = join(__dirname, '..', '..');
const page = readFileSync(join(root, 'docs', 'operator.md'), 'utf8');
const sourcesOf = (folder: string, ...files: readonly string[]) =>
  files.map((file) => readFileSync(join(root, 'operator', folder, file), 'utf8')).join('\n');

describe('docs/operator.md', () => {
  it('names only existing flags', () => {
    const flags = Object.keys(RUN_FLAGS).map((flag) => flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));
    const used = [...page.matchAll(/operator -- run (--[^`]*)`/g)].flatMap(([, args = '']) => args.split(' '));
    const names = used.filter((arg) => arg !== '--help').map((arg) => arg.replace(/^--(?:no-)?/, ''));
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(flags).toContain(name);
  });

  it('states the size of the program, as its ADR does, to within a tenth', () => {
    const decision = readFileSync(join(root, 'docs/adr/0006-the-operator-in-a-configmap.md'), 'utf8');
    const kilobytes = (text: string, before: RegExp) => Number(new RegExp(`${before.source}(\\d+)`).exec(text)?.[1]);
    const { zstd }: { readonly zstd: string } = JSON.parse(
      readFileSync(join(root, 'operator/build/bundle.json'), 'utf8'),
    );
    const file = 'dist/home/linkerd-reconciler/configmap.linkerd-reconciler-program.yaml';
    const inOutput = statSync(join(root, file)).size / 1000;
    expect(kilobytes(decision, /Zstandard, the file has /) / ((zstd.length * 3) / 4 / 1000)).toBeCloseTo(1, 0.7);
    expect(kilobytes(decision, /changes a file of /) / inOutput).toBeCloseTo(1, 0.7);
    expect(kilobytes(page, /the\sprogram\s\(/) / inOutput).toBeCloseTo(1, 0.7);
    const [, limit = ''] = /MAX_BYTES = ([\d_]+)/.exec(sourcesOf('bundle', 'pack-bundle.ts')) ?? [];
    expect(kilobytes(decision, /the build fails above /)).toBe(Number(limit.replace('_', '')) / 1000);
  });
});
