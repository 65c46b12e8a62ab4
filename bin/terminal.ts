import type { Readable, Writable } from 'node:stream';
import { describeProblem, type Problem } from '../lib/kubernetes/findings/problem';
import { redact } from '../lib/kubernetes/findings/redaction';

/** The terminal that a command reads from and writes to. */
export interface Terminal {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Messages;
  /** The text of a file; throws where there is none. */
  readonly readFile: (path: string) => string;
}

/** The stream on which a command says what is wrong. */
interface Messages {
  write(text: string): unknown;
}

/** A terminal on which no private key and no password is shown, whoever writes the message. */
export function withRedaction(terminal: Terminal): Terminal {
  return { ...terminal, stderr: { write: (text) => terminal.stderr.write(redact(text)) } };
}

/** The exit codes of commands. */
export const EXIT = {
  done: 0,
  /** The request is understood, and cannot be met: problems say why. */
  refused: 1,
  /** The command line is not understood, or names what cannot be read. */
  misuse: 2,
} as const;

/** A command line that asks for nothing that can be done; ends the command with `EXIT.misuse`. */
export class Misuse extends Error {}

/** Problems for people to read, one after the other. */
export function problemReport(problems: readonly Problem[]): string {
  const heading = problems.length === 1 ? '1 problem:' : `${problems.length} problems:`;
  return `${[heading, ...problems.map((problem) => `  - ${describeProblem(problem)}`)].join('\n')}\n`;
}
