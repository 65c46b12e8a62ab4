import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(__dirname, '..', '..');

/** Runs in a minimal copy of this repository. */
describe('node tools/start/start.cjs', () => {
  let folder: string;
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  const bundle = () => join(folder, 'node_modules/.cache/start/program-ts.cjs');
  const start = (...args: readonly string[]) => {
    // start.cjs does not keep a bundle of files written just now, which may change again.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    const { stdout, stderr } = spawnSync(process.execPath, ['tools/start/start.cjs', 'program.ts', ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, NODE_PATH: join(root, 'node_modules'), NODE_OPTIONS: undefined },
    });
    return stdout + stderr;
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'start-'));
    cpSync(join(root, 'tools', 'start'), join(folder, 'tools', 'start'), { recursive: true });
    for (const file of ['package-lock.json', 'tsconfig.json']) write(file, '{}');
    write(
      'operator/bundle/main.ts',
      `import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
       mkdirSync('operator/build', { recursive: true });
       writeFileSync('operator/build/bundle.json', JSON.stringify(readFileSync('operator/source.ts', 'utf8')));
       writeFileSync('operator/build/bundle.state.json', JSON.stringify({ inputs: ['operator/source.ts'] }));`,
    );
    write('operator/source.ts', 'old operator');
    write('told.ts', "export const told: string = 'old'; if (require.main === module) console.log('as a program');");
    write(
      'program.ts',
      `#!/usr/bin/env node
       import operator from './operator/build/bundle.json';
       import { told } from './told';
       if (process.argv.includes('--throw')) {
         throw new Error('thrown');
       }
       if (require.main === module) console.log(told, operator, process.argv.slice(2).join(' '));`,
    );
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('runs a program with its arguments, the second time from the same bundle', () => {
    expect(start('--one', 'two')).toBe('old old operator --one two\n');
    const made = statSync(bundle()).mtimeMs;
    expect(start()).toBe('old old operator \n');
    expect(statSync(bundle()).mtimeMs).toBe(made);
    expect(readdirSync(dirname(bundle())).sort()).toEqual(['compiled', 'program-ts.cjs', 'program-ts.cjs.map']);
  });

  it.each([
    ['a module', 'told.ts', "export const told = 'new';", 'new old operator \n'],
    ['the operator in the library', 'operator/source.ts', 'new operator', 'old new operator \n'],
  ])('rebuilds the bundle after a change of %s', (_what, file, text, expected) => {
    start();
    write(file, text);
    expect(start()).toBe(expected);
  });

  it('rebuilds the bundle if it is truncated, or if a source was renamed', () => {
    start();
    truncateSync(bundle(), 100);
    expect(start()).toBe('old old operator \n');
    rmSync(join(folder, 'told.ts'));
    write('told/index.ts', "export const told = 'moved';");
    expect(start()).toBe('moved old operator \n');
  });

  it('names the sources in stack traces', () => {
    expect(start('--throw')).toContain(`(${join(folder, 'program.ts')}:5:16)`);
  });

  it('prints why it cannot bundle a program', () => {
    write('program.ts', "import './nowhere';");
    expect(start()).toContain('Could not resolve "./nowhere"');
    expect(() => readFileSync(bundle())).toThrow();
  });
});
