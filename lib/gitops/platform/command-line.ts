import { parseArgs } from 'node:util';
import { describeProblem } from '../../kubernetes/findings/problem';
import { checkChoice, parseShard, type Shard } from './chosen-clusters';

/** Options of `Platform.synth`. */
export interface SynthOptions {
  /**
   * Tells whether to compare only, and write nothing.
   *
   * @default false
   */
  readonly check?: boolean;

  /**
   * The clusters to synthesize, by name or by patterns with `*`; all others, and the Argo CD objects, are left alone.
   *
   * @default - all clusters
   */
  readonly only?: string | readonly string[];

  /**
   * The part of the clusters to synthesize, for several machines beside each other; the Argo CD objects, which are about
   * all clusters, are left alone: `argocd` makes them.
   *
   * @default - all of them
   */
  readonly shard?: Shard;

  /**
   * Tells whether to synthesize only what is about all clusters: the Argo CD objects, and the removal of clusters that
   * are gone. Every cluster is built and checked for it, but none is written. Without `only` and `shard`.
   *
   * @default false
   */
  readonly argocd?: boolean;
}

/** The request of a command line. */
export type Command =
  | { readonly type: 'synth'; readonly options: SynthOptions }
  | { readonly type: 'promote'; readonly ring: string; readonly options: Pick<SynthOptions, 'check'> }
  | { readonly type: 'help' }
  | { readonly type: 'misuse'; readonly message: string };

/** The help text of `main.ts`. */
export const USAGE = `Synthesizes the platform's clusters into files.

  --check         write nothing; list what differs, and exit with 1 if anything does
  --only CLUSTER  synthesize this cluster only, and leave everything else alone; may be repeated, and be a pattern with *
  --shard N/OF    synthesize this part of the clusters only, such as 2/8
  --argocd        synthesize only what is about all clusters: the Argo CD objects, and the removal of clusters
  --promote RING  copy the output of the ring's clusters, as it is, to the folder that the ring is read from
  --help          print this text
`;

/** Reads a command line, without the names of the interpreter and the script. */
export function parseCommandLine(args: readonly string[]): Command {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        check: { type: 'boolean' },
        only: { type: 'string', multiple: true },
        shard: { type: 'string' },
        argocd: { type: 'boolean' },
        promote: { type: 'string' },
        help: { type: 'boolean' },
      },
    });
    if (values.help) return { type: 'help' };
    const { check, only, argocd, promote } = values;
    if (promote !== undefined) {
      if (only === undefined && argocd === undefined && values.shard === undefined) {
        return { type: 'promote', ring: promote, options: { check } };
      }
      return {
        type: 'misuse',
        message: '--promote is about the clusters of a ring, and takes --check alone beside it',
      };
    }
    const shard = values.shard === undefined ? undefined : parseShard(values.shard);
    if (values.shard !== undefined && shard === undefined) {
      return { type: 'misuse', message: `'${values.shard}' is no part of a whole, such as 2/8` };
    }
    const [refused] = checkChoice({ only, shard, argocd });
    if (refused !== undefined) return { type: 'misuse', message: describeProblem(refused) };
    return { type: 'synth', options: { check, only: only?.length === 1 ? only[0] : only, shard, argocd } };
  } catch (error) {
    return { type: 'misuse', message: error instanceof Error ? error.message : String(error) };
  }
}
