import type { Readable, Writable } from 'node:stream';

/** What a command reads from and writes to. */
export interface Terminal {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** The text of a file; throws where there is none. */
  readonly readFile: (path: string) => string;
}

/** How a command ends. */
export const EXIT = {
  done: 0,
  /** What was asked for is understood, and cannot be: problems say why. */
  refused: 1,
  /** The command line is not understood, or names what cannot be read. */
  misuse: 2,
} as const;

/** A command line that asks for nothing that can be done; ends the command with `EXIT.misuse`. */
export class Misuse extends Error {}
