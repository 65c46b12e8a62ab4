import { errorsAt, type Finding } from '../../../kubernetes/findings/finding';
import type { Problem } from '../../../kubernetes/findings/problem';
import { checkDnsLabel } from '../../../kubernetes/names';
import { type Reference, referenceKey } from '../../../kubernetes/references';
import { SYNTH_FINDINGS } from '../findings';
import { type Provided, ProvidedIndex } from './provided-index';

/** Something that must exist, and for whom. */
export interface Required {
  /** Path of the construct that needs it. */
  readonly path: string;
  /** The object that needs it, for messages: `Deployment linkerd/linkerd-identity`. */
  readonly by: string;
  /** Stage from which on it is needed. */
  readonly stage: number;
  /** Field that names it; absent where a construct declares the need. */
  readonly field?: string;
  /** The objects any one of which would do. */
  readonly accepts: readonly Reference[];
  /** Tells whether it may come into being later than it is named. */
  readonly anyStage?: boolean;
}

/**
 * Checks that what is referred to is provided, and in time: one problem for each missing object, at the first construct
 * that needs it.
 */
export function checkReferences(required: readonly Required[], provided: Iterable<Provided>): readonly Finding[] {
  const index = new ProvidedIndex(provided);
  const missing = new Map<string, [Required, ...Required[]]>();
  const late: Finding[] = [];
  for (const need of required) {
    const stages = need.accepts.flatMap((reference) => index.stageOf(reference) ?? []);
    if (stages.length === 0 && need.accepts.every(isPossible)) group(missing, need);
    else if (stages.length > 0 && need.anyStage !== true && Math.min(...stages) > need.stage)
      late.push(...errorsAt(need.path, [tooLate(need)]));
  }
  return [
    ...[...missing.values()].flatMap((needs) => errorsAt(needs[0].path, [missingReference(needs, index)])),
    ...late,
  ];
}

/** A name that no namespace can have is reported where it is given. */
function isPossible({ kind, name }: Reference): boolean {
  return kind !== 'Namespace' || checkDnsLabel('name', name).length === 0;
}

function group(groups: Map<string, [Required, ...Required[]]>, need: Required): void {
  const key = wanted(need);
  const known = groups.get(key);
  if (known === undefined) groups.set(key, [need]);
  else known.push(need);
}

function missingReference(needs: readonly [Required, ...Required[]], index: ProvidedIndex): Problem {
  const [first] = needs;
  const [reference] = first.accepts;
  const meant = reference && index.suggest(reference);
  return SYNTH_FINDINGS.referenceMissing({
    reference: wanted(first),
    users: users(needs),
    literal: literal(first),
    suggestion: meant === undefined ? '' : ` (${meant})`,
  });
}

function tooLate(need: Required): Problem {
  return SYNTH_FINDINGS.referenceTooLate({ reference: wanted(need), user: user(need) });
}

function wanted({ accepts: [reference, ...others] }: Required): string {
  if (reference === undefined) return 'It';
  // Several readings of one text have all its letters in common; the text itself is the better name.
  if (others.length > 0) return `${reference.kind} ${reference.namespace}-${reference.name}`;
  return referenceKey(reference);
}

const SHOWN_USERS = 3;

function users(needs: readonly Required[]): string {
  const shown = needs.slice(0, SHOWN_USERS).map(user);
  const hidden = needs.length - shown.length;
  return hidden > 0 ? `${shown.join(', ')} and ${hidden} more` : shown.join(' and ');
}

function user({ by, field }: Required): string {
  return field === undefined ? by : `${by} (${field})`;
}

/** The reference as a user would write it in TypeScript. */
function literal({ accepts: [reference] }: Required): string {
  const { kind, namespace, name } = reference ?? {};
  const inNamespace = namespace === undefined ? '' : `namespace: '${namespace}', `;
  return `{ kind: '${kind}', ${inNamespace}name: '${name}' }`;
}
