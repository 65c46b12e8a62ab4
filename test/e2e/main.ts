import { buildBundle } from '#operator/bundle/build-bundle';
import { buildPage } from '#page/bundle/build-page';
import { CODES, parseOptions, USAGE } from './options';

/** Signals within this time count as one: the terminal sends Ctrl-C to this process, and `npx` passes it on. */
const SAME_MS = 1_000;

const LEFT = 'Remove the remaining objects with --steps removal.';

const interruption = new AbortController();

async function main(): Promise<number> {
  const parsed = parseOptions(process.argv.slice(2));
  if ('help' in parsed) {
    process.stdout.write(USAGE);
    return CODES.done;
  }
  if ('misuse' in parsed) {
    process.stderr.write(`${parsed.misuse}\n\n${USAGE}`);
    return CODES.misuse;
  }
  const { options } = parsed;
  // The commands of the library run kubectl without `--kubeconfig`.
  if (options.kubeconfig !== undefined) process.env.KUBECONFIG = options.kubeconfig;
  // The terminal, or the reader of a pipe, may be gone: the run must still remove its mesh from the cluster.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const isRemoved = !options.keep && options.steps.join() !== 'removal';
  let interruptedAt = 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      const now = performance.now();
      if (interruption.signal.aborted) {
        if (now - interruptedAt < SAME_MS) return;
        process.stderr.write(`${LEFT}\n`);
        process.exit(CODES.interrupted);
      }
      interruptedAt = now;
      const then = isRemoved ? 'The run now removes everything. Interrupt again to leave it.' : LEFT;
      process.stderr.write(`Interrupted. ${then}\n`);
      interruption.abort(new DOMException('interrupted', 'AbortError'));
    });
  }
  await buildBundle();
  await buildPage();
  // The library reads both bundles when it is loaded.
  const { runSteps } = require('./run') as typeof import('./run');
  return runSteps(options, {
    print: (text) => process.stdout.write(text),
    note: (text) => process.stderr.write(`${text}\n`),
    interrupted: interruption.signal,
  });
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = interruption.signal.aborted ? CODES.interrupted : CODES.failed;
  },
);
