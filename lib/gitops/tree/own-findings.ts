import type { IConstruct } from 'constructs';
import { catalogue } from '#base/findings/catalogue';
import type { Problem } from '#base/findings/problem';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { isOwnCode, type OwnCode } from '../../checks/warnings';
import { addRule } from './add-rule';

/** A finding of your own: its severity and its sentences, each a string, or a function of the parameters. */
export interface OwnFinding {
  /** An error refuses the output; a warning can be acknowledged. */
  readonly severity: 'error' | 'warning';
  /** The mistake or the risk. It names the object. */
  readonly what: string | ((parameters: never) => string);
  /** The consequence. */
  readonly why: string | ((parameters: never) => string);
  /** The fix, as an imperative. */
  readonly fix: string | ((parameters: never) => string);
}

/** A code in camel case: `own-team-missing` is `ownTeamMissing`. */
export type CamelCase<Code extends string> = Code extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Code;

/** A factory for each of your own findings, with the parameters of its `what`. */
export type OwnFactories<Entries extends Readonly<Record<string, OwnFinding>>> = {
  readonly [Code in keyof Entries & string as CamelCase<Code>]: ((
    parameters: Entries[Code]['what'] extends (parameters: infer Parameters) => string
      ? Parameters
      : Readonly<Record<string, string | number>>,
  ) => Problem) & { readonly entry: OwnFinding & { readonly code: string } };
};

/**
 * Returns a factory for each of your own findings, as for those of the library: they are reported, acknowledged and
 * formatted alike. A factory has the name of its code in camel case.
 *
 * @throws TypeError for a code that does not begin with `own-`, or is not in kebab-case
 * @example
 * const OWN = ownFindings({
 *   'own-team-missing': {
 *     severity: 'warning',
 *     what: ({ object }: { object: string }) => `${object} has no label team`,
 *     why: 'No team is called when it fails',
 *     fix: 'set the label team',
 *   },
 * });
 */
export function ownFindings<const Entries extends Readonly<Record<OwnCode, OwnFinding>>>(
  entries: Entries,
): OwnFactories<Entries> {
  for (const code of Object.keys(entries)) {
    if (!isOwnCode(code))
      throw new TypeError(`"${code}" is not a code for a finding of your own: write own-…, in kebab-case.`);
  }
  return catalogue(entries) as unknown as OwnFactories<Entries>;
}

/** The factories that `ownFindings` returns. */
export type OwnFindings = Readonly<Record<string, { readonly entry: OwnFinding & { readonly code: string } }>>;

/**
 * Adds a rule of your own, which returns problems from the factories of `findings`. It is called at synth with all
 * objects of the cluster, as they will be written.
 *
 * @example
 * const OWN = ownFindings({
 *   'own-replicas-one': {
 *     severity: 'warning',
 *     what: ({ object }: { object: string }) => `${object} has one replica`,
 *     why: 'It is down while its node restarts',
 *     fix: 'set replicas to 2',
 *   },
 * });
 * addFindings(home, OWN, (objects) =>
 *   objects
 *     .filter(({ spec }) => (spec as { replicas?: number } | undefined)?.replicas === 1)
 *     .map(({ kind, metadata }) => OWN.ownReplicasOne({ object: `${kind} ${metadata.name}` })),
 * );
 */
export function addFindings(
  scope: IConstruct,
  findings: OwnFindings,
  check: (objects: readonly KubernetesObject[]) => readonly Problem[],
): void {
  const codes = new Set(Object.values(findings).map(({ entry }) => entry.code));
  addRule(scope, ({ objects }) => check(objects.map(({ object }) => object)).filter(({ code }) => codes.has(code)));
}
