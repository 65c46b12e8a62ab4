import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { installCommands, manifestsHeader } from '#lib/cli/operator/manifests-header';
import { RUN_FLAGS } from '#operator/src/run-options';

const root = join(__dirname, '..', '..');
const page = readFileSync(join(root, 'docs', 'operator.md'), 'utf8');
const sourcesOf = (folder: string, ...files: readonly string[]) =>
  files.map((file) => readFileSync(join(root, 'operator', folder, file), 'utf8')).join('\n');

test.each(['yaml', 'chart'] as const)(
  'docs/helm-anchor.md has the commands in the header of the format %s, in their order',
  (format) => {
    const anchor = readFileSync(join(root, 'docs', 'helm-anchor.md'), 'utf8');
    const places = {
      namespace: 'linkerd-reconciler',
      linkerdNamespace: 'linkerd',
      certManagerNamespace: 'cert-manager',
    };
    const facts = { ...places, values: {}, config: undefined, multus: false, format };
    const names = { namespace: 'linkerd-reconciler', file: 'operator.yaml', folder: './linkerd-reconciler/' };
    const [section = ''] = anchor
      .split(/^## /m)
      .filter((text) => /^2\. Apply it/.test(text) === (format === 'yaml') && /helm install|Apply it/.test(text));
    expect(section).toMatch(/label[\s\S]*Then:/);
    for (const command of installCommands({ ...facts, rotation: {} }, names)) {
      expect(section.split('Then:')[1]).toContain(`\n${command}\n`);
    }
    const header = manifestsHeader({ ...facts, rotation: {}, before: ['kubectl label secret a'] });
    const own = installCommands({ ...facts, rotation: {} }, { ...names, file: 'FILE', folder: './' });
    expect(header.slice(-own.length - 3)).toEqual([
      '  kubectl label secret a',
      '',
      expect.stringMatching(/^Then /),
      ...own.map((line) => `  ${line}`),
    ]);
    expect(manifestsHeader({ ...facts, rotation: undefined }).join()).not.toMatch(/force-conflicts|take-ownership/);
  },
);

describe('docs/operator.md', () => {
  it('names only existing flags', () => {
    const flags = Object.keys(RUN_FLAGS).map((flag) => flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));
    const used = [...page.matchAll(/operator -- run (--[^`]*)`/g)].flatMap(([, args = '']) => args.split(' '));
    const names = used.filter((arg) => arg !== '--help').map((arg) => arg.replace(/^--(?:no-)?/, ''));
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(flags).toContain(name);
  });

  it('states the size of the program like its ADR, with an error of at most a tenth', () => {
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
    const [, limit = ''] = /MAX_BYTES = ([\d_]+)/.exec(sourcesOf('bundle', 'build-bundle.ts')) ?? [];
    expect(kilobytes(decision, /the build fails above /)).toBe(Number(limit.replace('_', '')) / 1000);
  });
});
