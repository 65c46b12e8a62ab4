import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Runs of each module. The modules take turns, so that other load affects both. */
const RUNS = 15;

const root = join(__dirname, '..');

/** Milliseconds that a new Node.js process takes to load a module, and the number of files that it loads. */
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

// Loads the packed build, so run `npm run build` first. Prints the load time relative to that of cdk8s alone.
const runs = Array.from({ length: RUNS }, () => ({ cdk8s: load('cdk8s'), library: load('./build/lib/index.js') }));
const [cdk8s, library] = [median(runs.map((run) => run.cdk8s.ms)), median(runs.map((run) => run.library.ms))];
const files = runs[0]?.library.files;
process.stdout.write(`${JSON.stringify({ ratio: Math.round((library / cdk8s) * 10) / 10, files })}\n`);
process.stderr.write(`cdk8s ${cdk8s.toFixed(0)} ms, the library with it ${library.toFixed(0)} ms\n`);
