import { parseArgs } from 'node:util';
import { describeProblem } from '#base/findings/problem';
import { checkChoice, parseShard, type Shard } from './chosen-clusters';
import { FINDING_FORMATS, type FindingFormat } from './finding-formats';

/** Options of `Platform.synth`. */
export interface SynthOptions {
  /**
   * Compare only, and write nothing.
   *
   * @default false
   */
  readonly check?: boolean;

  /**
   * Refuse the output if there is a warning that is not acknowledged, as if it were an error.
   *
   * @default false
   */
  readonly strict?: boolean;

  /**
   * Find the file and the line where the program creates the construct that each finding is about. The output does not
   * depend on it.
   *
   * @default - false; true for the command line's --format
   */
  readonly places?: boolean;

  /**
   * The clusters to synthesize, by name or by patterns with `*`. All others, and the Argo CD objects, stay unchanged.
   *
   * @default - all clusters
   */
  readonly only?: string | readonly string[];

  /**
   * The part of the clusters to synthesize, for several machines in parallel. The Argo CD objects, which concern all
   * clusters, stay unchanged: `argocd` writes them.
   *
   * @default - all of them
   */
  readonly shard?: Shard;

  /**
   * Synthesize only what concerns all clusters: the Argo CD objects, and the removal of deleted clusters. Every cluster
   * is built and checked for it, but not written. Cannot be combined with `only` or `shard`.
   *
   * @default false
   */
  readonly argocd?: boolean;

  /**
   * Folder to write to instead of the output, for `cdk8s-linkerd upgrade plan --to FOLDER` and `diff`. A draft is not
   * compared with the mesh in the output: it may contain changes that a synthesis would refuse.
   *
   * @default - the output's folder
   */
  readonly draft?: string;
}

interface Manner {
  /** Format of the findings; absent for text on standard error. */
  readonly format?: FindingFormat;
}

/** A parsed command line. */
export type Command =
  | (Manner & { readonly type: 'synth'; readonly options: SynthOptions })
  | (Manner & {
      readonly type: 'promote';
      readonly ring: string;
      readonly options: Pick<SynthOptions, 'check' | 'strict' | 'places'>;
    })
  | { readonly type: 'help' }
  | { readonly type: 'misuse'; readonly message: string };

/** The help text of `main.ts`. */
export const USAGE = `Synthesizes the platform's clusters into files.

  --check         write nothing; list the differences, and exit with 1 if there are any
  --strict        refuse the output if there is a warning that is not acknowledged
  --only CLUSTER  synthesize only this cluster, by name or by a pattern with *; may be repeated
  --shard N/OF    synthesize only this part of the clusters, such as 2/8
  --argocd        write only what concerns all clusters: the Argo CD objects, and the removal of deleted clusters
  --draft FOLDER  write the output to this folder instead, with changes that would be refused: for upgrade plan
  --places        name the file and the line of the construct that each finding is about; implied by --format
  --promote RING  copy the output of the ring's clusters to the folder from which the ring is read
  --format FORMAT print the findings to standard output as json, sarif or github (annotations) instead of text
  --help          print this text
`;

/** Parses a command line, without the names of the interpreter and the script. */
export function parseCommandLine(args: readonly string[]): Command {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        check: { type: 'boolean' },
        strict: { type: 'boolean' },
        places: { type: 'boolean' },
        only: { type: 'string', multiple: true },
        shard: { type: 'string' },
        argocd: { type: 'boolean' },
        draft: { type: 'string' },
        promote: { type: 'string' },
        format: { type: 'string' },
        help: { type: 'boolean' },
      },
    });
    return values.help ? { type: 'help' } : commandOf(values);
  } catch (error) {
    return misuse(error instanceof Error ? error.message : String(error));
  }
}

interface Given extends Pick<SynthOptions, 'check' | 'strict' | 'places' | 'argocd' | 'draft'> {
  readonly only?: readonly string[];
  readonly shard?: string;
  readonly promote?: string;
  readonly format?: string;
}

function commandOf({ check, strict, only, argocd, draft, promote: ring, ...given }: Given): Command {
  const format = FINDING_FORMATS.find((one) => one === given.format);
  if (given.format !== undefined && given.format !== 'text' && format === undefined) {
    return misuse(`'${given.format}' is not a format: text, ${FINDING_FORMATS.join(', ')}`);
  }
  const manner = format === undefined ? {} : { format };
  const places = given.places ?? (format === undefined ? undefined : true);
  if (ring !== undefined) {
    const isAlone = [only, argocd, draft, given.shard].every((option) => option === undefined);
    if (isAlone) return { type: 'promote', ring, options: { check, strict, places }, ...manner };
    return misuse(
      '--promote applies to the clusters of a ring, and can be combined only with --check, --strict, --places and --format',
    );
  }
  const shard = given.shard === undefined ? undefined : parseShard(given.shard);
  if (given.shard !== undefined && shard === undefined) {
    return misuse(`'${given.shard}' is not a shard, such as 2/8`);
  }
  const [refused] = checkChoice({ only, shard, argocd });
  if (refused !== undefined) return misuse(describeProblem(refused));
  const options = { check, strict, places, only: only?.length === 1 ? only[0] : only, shard, argocd };
  return { type: 'synth', options: { ...options, ...(draft !== undefined && { draft }) }, ...manner };
}

function misuse(message: string): Command {
  return { type: 'misuse', message };
}
