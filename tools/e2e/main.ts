import { parseOptions, USAGE } from './options';
import { CODES, runSteps } from './run';

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
  // The commands of the library run kubectl without options for it.
  if (options.kubeconfig !== undefined) process.env.KUBECONFIG = options.kubeconfig;
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (interruption.signal.aborted) {
        process.stderr.write('What is left can be removed with --steps removal.\n');
        process.exit(CODES.interrupted);
      }
      process.stderr.write('Interrupted: everything is removed now. Interrupt again to leave it.\n');
      interruption.abort(new DOMException('interrupted', 'AbortError'));
    });
  }
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
    process.exitCode = CODES.failed;
  },
);
