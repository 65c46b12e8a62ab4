import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readFiles } from './synth/output/tree-on-disk';

const root = join(__dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const scripts = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts as Record<string, string>;

/** Fenced code blocks of one language, in order. */
function blocks(language: string): readonly string[] {
  return [...readme.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    (match) => match[1] ?? '',
  );
}

describe('README', () => {
  const folder = join(root, '.cache', 'readme');
  const programs = blocks('ts');

  beforeAll(() => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const [index, program] of programs.entries()) writeFileSync(join(folder, `block-${index}.ts`), program);
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: '../../tsconfig.json',
        compilerOptions: { paths: { 'cdk8s-linkerd': ['../../lib/index.ts'] } },
        include: ['*.ts'],
      }),
    );
  });

  it('has TypeScript blocks', () => expect(programs.length).toBeGreaterThan(1));

  it('compiles every TypeScript block', () => {
    execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' });
  });

  it.each(programs.map((_, index) => index))('runs TypeScript block %i, twice with the same bytes', (index) => {
    const run = (outdir: string) =>
      execFileSync(join(root, 'node_modules/.bin/tsx'), ['--tsconfig', 'tsconfig.json', `block-${index}.ts`], {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, CDK8S_OUTDIR: outdir },
        stdio: 'pipe',
      });
    run('first');
    run('second');
    const written = readFiles(join(folder, 'first'));
    expect(Object.keys(written).length).toBeGreaterThan(0);
    expect(readFiles(join(folder, 'second'))).toEqual(written);
    rmSync(join(folder, 'first'), { recursive: true });
    rmSync(join(folder, 'second'), { recursive: true });
  });

  it('names the one Go that the newest of the modules needs, as CONTRIBUTING and CI do', () => {
    const modules = readdirSync(join(root, 'test/go'), { recursive: true, encoding: 'utf8' })
      .filter((file) => basename(file) === 'go.mod')
      .map((file) => /^go 1\.(\d+)/m.exec(readFileSync(join(root, 'test/go', file), 'utf8'))?.[1]);
    const needed = Math.max(...modules.map(Number));
    const contributing = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
    for (const text of [readme, contributing])
      expect(text).toMatch(new RegExp(`Go(?:\\]\\([^)]*\\))? 1\\.${needed} or newer`));
    expect(readFileSync(join(root, '.github/workflows/ci.yml'), 'utf8')).toContain(`go-version: "1.${needed}"`);
  });

  it('has every package installed that its programs import', () => {
    const imported = new Set(programs.join('\n').match(/(?<=from ')[^']+(?=')/g));
    const installed =
      blocks('sh')
        .join('\n')
        .match(/(?<=npm install ).*/g)
        ?.join(' ')
        .split(' ') ?? [];
    const inText = [...readme.matchAll(/`npm install ([\w-]+)`/g)].map(([, name]) => name);
    expect([...imported].filter((name) => ![...installed, ...inText].includes(name))).toEqual([]);
    // What Node.js has itself is typed by a package of its own: without it `console` does not compile.
    expect(installed).toContain('@types/node');
  });

  it('names only npm scripts that exist', () => {
    const named = [
      ...blocks('sh')
        .join('\n')
        .matchAll(/npm run (?:-s )?([\w:-]+)/g),
    ].map((match) => match[1] ?? '');
    expect(named.length).toBeGreaterThan(0);
    for (const name of named) expect(Object.keys(scripts)).toContain(name);
  });
});
