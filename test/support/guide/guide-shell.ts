import { spawn } from 'node:child_process';

/** One shell for all commands of a guide, which ends at the first command that fails. */
export interface GuideShell {
  /** Runs lines, and returns their stdout and stderr. @throws with this output, if a line fails */
  run(lines: string): Promise<string>;
  stop(): void;
}

/** Starts a shell in a folder. */
export function startGuideShell(folder: string, env: NodeJS.ProcessEnv): GuideShell {
  const child = spawn('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail'], {
    cwd: folder,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  let notify = (): void => undefined;
  let ended: number | NodeJS.Signals | null | undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => {
      output += chunk;
      notify();
    });
  }
  child.on('close', (code, signal) => {
    ended = code ?? signal;
    notify();
  });
  let count = 0;
  return {
    run: async (lines) => {
      count += 1;
      const end = `--- end of block ${count} ---`;
      const from = output.length;
      // Without /dev/null, a command could read the lines after it as its input.
      child.stdin.write(`{\n${lines}\n} 2>&1 </dev/null\necho '${end}'\n`);
      for (;;) {
        const printed = output.slice(from);
        if (printed.includes(end)) return printed.replace(`${end}\n`, '');
        if (ended !== undefined) throw new Error(`The shell ended with ${ended}:\n${lines}\n${printed}`);
        await new Promise<void>((resolve) => {
          notify = resolve;
        });
      }
    },
    stop: () => {
      child.kill('SIGKILL');
    },
  };
}
