import { parseArgs } from 'node:util';

/** What to synthesize, and how. */
export interface SynthOptions {
  /**
   * Whether to compare only, and write nothing.
   *
   * @default false
   */
  readonly check?: boolean;

  /**
   * The one cluster to synthesize; all others, and the Argo CD objects, are left alone.
   *
   * @default - all clusters
   */
  readonly only?: string;
}

/** What a command line asks for. */
export type Command =
  | { readonly type: 'synth'; readonly options: SynthOptions }
  | { readonly type: 'help' }
  | { readonly type: 'misuse'; readonly message: string };

/** How `main.ts` is called. */
export const USAGE = `Synthesizes the platform's clusters into files.

  --check         write nothing; list what differs, and exit with 1 if anything does
  --only CLUSTER  synthesize this cluster only, and leave everything else alone
  --help          print this text
`;

/** Reads a command line, without the names of the interpreter and the script. */
export function parseCommandLine(args: readonly string[]): Command {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { check: { type: 'boolean' }, only: { type: 'string' }, help: { type: 'boolean' } },
    });
    return values.help ? { type: 'help' } : { type: 'synth', options: { check: values.check, only: values.only } };
  } catch (error) {
    return { type: 'misuse', message: error instanceof Error ? error.message : String(error) };
  }
}
