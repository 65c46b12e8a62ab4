import { type Finding, findingsAt } from '#base/findings/finding';
import type { Problem } from '#base/findings/problem';
import { suggest } from '#base/suggest';
import { checkDnsLabel } from '#kubernetes/names';
import { type Reference, referenceKey } from '#kubernetes/objects/references';
import { SYNTH_FINDINGS } from '../findings';

/** A required object, and what requires it. */
export interface Required {
  /** Path of the construct that needs it. */
  readonly path: string;
  /** The object that needs it, for messages: `Deployment linkerd/linkerd-identity`. */
  readonly by: string;
  /** Stage at which it is needed. */
  readonly stage: number;
  /** Field that names it; absent if a construct declares the requirement. */
  readonly field?: string;
  /** The objects, any one of which is sufficient. */
  readonly accepts: readonly Reference[];
  /** The object may be created in a later stage. */
  readonly anyStage?: boolean;
}

/**
 * Checks that all references are provided, and in time: one problem for each missing object, at the first construct
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
      late.push(...findingsAt(need.path, [tooLate(need)]));
  }
  return [
    ...[...missing.values()].flatMap((needs) => findingsAt(needs[0].path, [missingReference(needs, index)])),
    ...late,
  ];
}

/** An invalid name is reported where it is given. */
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
  const found = { reference: wanted(first), users: users(needs), literal: literal(first) };
  const namespaces = reference === undefined ? [] : index.namespacesOf(reference);
  return namespaces.length > 0
    ? SYNTH_FINDINGS.referenceMissingElsewhere({ ...found, namespaces: namespaces.join(', ') })
    : SYNTH_FINDINGS.referenceMissing({ ...found, similar: reference && index.similarTo(reference) });
}

function tooLate(need: Required): Problem {
  return SYNTH_FINDINGS.referenceTooLate({ reference: wanted(need), user: user(need) });
}

function wanted({ accepts: [reference, ...others] }: Required): string {
  if (reference === undefined) return 'It';
  // In `a-b-c`, the namespace may be `a` or `a-b`: joined by a hyphen, each possible reference gives the text that the
  // user wrote.
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

function literal({ accepts: [reference] }: Required): string {
  const { kind, namespace, name } = reference ?? {};
  const inNamespace = namespace === undefined ? '' : `namespace: '${namespace}', `;
  return `{ kind: '${kind}', ${inNamespace}name: '${name}' }`;
}

/** An object that a reference may name, and the stage in which it is created. */
export interface Provided {
  readonly reference: Reference;
  readonly stage: number;
}

/** Namespaces that every API server creates (kubernetes/kubernetes, systemnamespaces controller). */
export const BUILT_IN_NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

const BUILT_IN: readonly Reference[] = [
  ...BUILT_IN_NAMESPACES.map((name) => ({ kind: 'Namespace', name }) as const),
  { kind: 'Service', namespace: 'default', name: 'kubernetes' },
  { kind: 'ConfigMap', namespace: 'kube-system', name: 'extension-apiserver-authentication' },
  // Accounts of kube-controller-manager to which charts grant permissions, for metrics and for deletions.
  { kind: 'ServiceAccount', namespace: 'kube-system', name: 'horizontal-pod-autoscaler' },
  { kind: 'ServiceAccount', namespace: 'kube-system', name: 'generic-garbage-collector' },
  { kind: 'ServiceAccount', namespace: 'kube-system', name: 'namespace-controller' },
];

const IN_EVERY_NAMESPACE = new Set(['ServiceAccount default', 'ConfigMap kube-root-ca.crt']);

class ProvidedIndex {
  private readonly stages = new Map<string, number>();
  private readonly anywhere = new Map<string, { stage: number; namespaces: string[] }>();
  private readonly names = new Map<string, Set<string>>();

  constructor(provided: Iterable<Provided>) {
    for (const reference of BUILT_IN) this.add(reference, 0);
    for (const { reference, stage } of provided) this.add(reference, stage);
  }

  /** Returns the stage from which on the object exists; undefined if nothing provides it. */
  stageOf(reference: Reference): number | undefined {
    const byName = `${reference.kind} ${reference.name}`;
    if (IN_EVERY_NAMESPACE.has(byName)) return 0;
    return reference.namespace === undefined
      ? this.anywhere.get(byName)?.stage
      : this.stages.get(referenceKey(reference));
  }

  /** Returns the other namespaces that have an object of this kind and name. */
  namespacesOf({ kind, namespace, name }: Reference): readonly string[] {
    return this.anywhere.get(`${kind} ${name}`)?.namespaces.filter((other) => other !== namespace) ?? [];
  }

  /** Returns the most similar name of this kind in the reference's namespace; undefined if none is similar. */
  similarTo({ kind, namespace, name }: Reference): string | undefined {
    return suggest(name, this.names.get(namespaceKey(kind, namespace)) ?? [])[0];
  }

  private add(reference: Reference, stage: number): void {
    const { kind, namespace, name } = reference;
    const byName = `${kind} ${name}`;
    const key = referenceKey(reference);
    this.stages.set(key, Math.min(stage, this.stages.get(key) ?? stage));
    const known = this.anywhere.get(byName) ?? { stage, namespaces: [] };
    const isNew = namespace !== undefined && !known.namespaces.includes(namespace);
    this.anywhere.set(byName, {
      stage: Math.min(stage, known.stage),
      namespaces: isNew ? [...known.namespaces, namespace] : known.namespaces,
    });
    const scope = namespaceKey(kind, namespace);
    this.names.set(scope, (this.names.get(scope) ?? new Set()).add(name));
  }
}

function namespaceKey(kind: string, namespace: string | undefined): string {
  return `${kind} in ${namespace ?? ''}`;
}
