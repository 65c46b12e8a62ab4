import { Readable, Writable } from 'node:stream';
import { run } from '#bin/program';

/** The result of a command line. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The inputs of a command line. */
export interface Inputs {
  readonly stdin?: string;
  readonly files?: Readonly<Record<string, string>>;
}

/** Runs a command line on streams in memory. */
export async function runInMemory(args: readonly string[], { stdin = '', files = {} }: Inputs = {}): Promise<Outcome> {
  const [stdout, stderr] = [new Collector(), new Collector()];
  const code = await run(args, {
    stdin: Readable.from([Buffer.from(stdin)]),
    stdout,
    stderr,
    readFile: (path) => {
      const text = files[path];
      if (text === undefined) throw new Error('no such file');
      return text;
    },
  });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

class Collector extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}
