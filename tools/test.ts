import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';
import { buildBundle } from '../operator/bundle/build-bundle';
import { buildPage } from '../page/bundle/build-page';

const ROOT = join(__dirname, '..');
const PATH = `${join(ROOT, 'node_modules', '.bin')}${delimiter}${process.env.PATH}`;

/** Without those that wait for other programs, each processor has enough to do with one test. */
const QUICK = ['--filter=<rootDir>/test/support/quick.js', `--maxWorkers=${availableParallelism()}`];

const BESIDE_OTHERS = ['--filter=<rootDir>/test/support/beside-others.js'];
const ONE_BY_ONE = ['--filter=<rootDir>/test/support/one-by-one.js', '--runInBand'];

/**
 * Runs what a change must pass: lint, the tests, and whether `dist/` is up to date. All at the same time, as many tests
 * wait for most of theirs; afterwards, one by one, the tests that measure. With `--quick` only the tests that start no
 * other program and are not slow.
 */
async function main([option, ...others]: readonly string[]): Promise<number> {
  if ((option !== undefined && option !== '--quick') || others.length > 0) {
    console.error('Usage: npm test [-- --quick]. For single tests: npx jest PATH...');
    return 2;
  }
  // What each of them would build first.
  await buildBundle();
  await buildPage();
  const results = await Promise.all([
    told('npm', ['run', '-s', 'lint']),
    told('npm', ['run', '-s', 'synth', '--', '--check']),
    ended('jest', option === '--quick' ? QUICK : BESIDE_OTHERS, 'inherit'),
  ]);
  if (option !== '--quick') results.push(await ended('jest', ONE_BY_ONE, 'inherit'));
  return results.every((isFine) => isFine) ? 0 : 1;
}

/** Runs a command beside the tests, and tells all that it said at once. */
async function told(command: string, args: readonly string[]): Promise<boolean> {
  const texts: string[] = [];
  const isFine = await ended(command, args, (text) => texts.push(text));
  console.error(`${isFine ? 'PASS' : 'FAIL'} ${[command, ...args].join(' ')}\n${texts.join('')}`);
  return isFine;
}

function ended(command: string, args: readonly string[], output: 'inherit' | ((text: string) => void)) {
  return new Promise<boolean>((resolve, reject) => {
    const stdio = output === 'inherit' ? 'inherit' : 'pipe';
    const child = spawn(command, args, { cwd: ROOT, env: { ...process.env, PATH }, stdio });
    if (output !== 'inherit') {
      child.stdout?.setEncoding('utf8').on('data', output);
      child.stderr?.setEncoding('utf8').on('data', output);
    }
    child.on('error', reject);
    child.on('close', (code) => resolve(code === 0));
  });
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    console.error(error);
    process.exitCode = 1;
  },
);
