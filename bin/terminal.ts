import type { Readable, Writable } from 'node:stream';
import { printableText } from '#base/findings/printable-text';
import { describeProblem, type Problem } from '#base/findings/problem';
import { redact } from '#base/findings/redaction';

/** The terminal that a command reads from and writes to. */
export interface Terminal {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Messages;
  /** Returns the text of a file; throws if there is none. */
  readonly readFile: (path: string) => string;
}

/**
 * Returns the text of a file in UTF-8, or in UTF-16 with a byte order mark, which PowerShell writes and Helm reads. The
 * text keeps the byte order mark.
 *
 * @throws Error for other encodings, because a wrong one would change values
 */
export function textIn(bytes: Uint8Array): string {
  const mark = Buffer.from(bytes.subarray(0, 2)).toString('hex');
  const encoding = mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error('it is not text in UTF-8');
  }
}

interface Messages {
  write(text: string): unknown;
}

/**
 * Returns a terminal whose messages show no private key and no password, and contain no commands for the terminal or a
 * CI system.
 */
export function withSafeMessages(terminal: Terminal): Terminal {
  // GitHub Actions executes a line that begins with two colons.
  const safe = (text: string) => printableText(redact(text)).replace(/^([^\S\n]*):(?=:)/gm, '$1\\u003a');
  return { ...terminal, stderr: { write: (text) => terminal.stderr.write(safe(text)) } };
}

/** The exit codes of commands. */
export const EXIT = {
  done: 0,
  /** The request is valid, but refused with problems. */
  refused: 1,
  /** The command line is invalid, or names a path that cannot be read. */
  misuse: 2,
} as const;

/** The part of a help text about the exit codes of most commands. */
export const EXIT_CODES = `
Exit codes: ${EXIT.done} success, ${EXIT.refused} refused (problems on standard error), ${EXIT.misuse} misuse.`;

/** An invalid command line; ends the command with `EXIT.misuse`. */
export class Misuse extends Error {}

/** Formats problems for people, one after the other, each with its code. */
export function problemReport(problems: readonly Problem[]): string {
  const heading = problems.length === 1 ? '1 problem:' : `${problems.length} problems:`;
  return `${[heading, ...problems.map((problem) => `  - ${describeProblem(problem)} [${problem.code}]`)].join('\n')}\n`;
}
