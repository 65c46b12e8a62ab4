import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Runs of each; they take turns, so that a busy machine is busy for both. */
const RUNS = 15;

const root = join(__dirname, '..');

/** Milliseconds that a fresh Node.js takes to load a module, and how many files of JavaScript that are. */
function load(module: string): { readonly ms: number; readonly files: number } {
  const program = `const start = performance.now();
    require(${JSON.stringify(module)});
    const ms = performance.now() - start;
    console.log(JSON.stringify({ ms, files: Object.keys(require.cache).length }));`;
  return JSON.parse(execFileSync(process.execPath, ['-e', program], { cwd: root, encoding: 'utf8' }));
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;
}

// `npm run build` first: what is loaded is what is packed. Prints how many times as long as cdk8s alone it takes.
const runs = Array.from({ length: RUNS }, () => ({ cdk8s: load('cdk8s'), library: load('./build/lib/index.js') }));
const [cdk8s, library] = [median(runs.map((run) => run.cdk8s.ms)), median(runs.map((run) => run.library.ms))];
const files = runs[0]?.library.files;
process.stdout.write(`${JSON.stringify({ ratio: Math.round((library / cdk8s) * 10) / 10, files })}\n`);
process.stderr.write(`cdk8s ${cdk8s.toFixed(0)} ms, the library with it ${library.toFixed(0)} ms\n`);
