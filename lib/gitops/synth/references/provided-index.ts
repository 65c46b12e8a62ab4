import { type Reference, referenceKey } from '../../../kubernetes/references';
import { suggest } from '../../../kubernetes/suggest';

/** Something that a reference may name, and the stage in which it comes into being. */
export interface Provided {
  readonly reference: Reference;
  readonly stage: number;
}

/** Namespaces that every API server makes by itself (kubernetes/kubernetes, systemnamespaces controller). */
export const BUILT_IN_NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

const BUILT_IN: readonly Reference[] = [
  ...BUILT_IN_NAMESPACES.map((name) => ({ kind: 'Namespace', name }) as const),
  { kind: 'Service', namespace: 'default', name: 'kubernetes' },
  { kind: 'ConfigMap', namespace: 'kube-system', name: 'extension-apiserver-authentication' },
];

/** Objects that Kubernetes makes in every namespace. */
const IN_EVERY_NAMESPACE = new Set(['ServiceAccount default', 'ConfigMap kube-root-ca.crt']);

/** Everything that references may name, for look-up by exact name, by name alone and by likeness. */
export class ProvidedIndex {
  private readonly stages = new Map<string, number>();
  private readonly anywhere = new Map<string, { stage: number; namespaces: string[] }>();
  private readonly names = new Map<string, Set<string>>();

  constructor(provided: Iterable<Provided>) {
    for (const reference of BUILT_IN) this.add(reference, 0);
    for (const { reference, stage } of provided) this.add(reference, stage);
  }

  /** The stage from which on the object exists; undefined if nobody provides it. */
  stageOf(reference: Reference): number | undefined {
    const byName = `${reference.kind} ${reference.name}`;
    if (IN_EVERY_NAMESPACE.has(byName)) return 0;
    return reference.namespace === undefined
      ? this.anywhere.get(byName)?.stage
      : this.stages.get(referenceKey(reference));
  }

  /** Says in words what the reference may have meant; undefined if there is nothing like it. */
  suggest({ kind, namespace, name }: Reference): string | undefined {
    const elsewhere = this.anywhere.get(`${kind} ${name}`)?.namespaces.filter((other) => other !== namespace) ?? [];
    if (elsewhere.length > 0) return `one of that name is in namespace ${elsewhere.join(' and in ')}`;
    const scope = namespaceKey(kind, namespace);
    const [similar] = suggest(name, this.names.get(scope) ?? []);
    return similar === undefined ? undefined : `did you mean ${similar}?`;
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
