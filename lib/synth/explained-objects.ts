import type { ClusterTree } from './cluster-tree';

/**
 * Tells of which objects a construct has said already what is wrong, in the words of its own props: what it made of
 * these is not reported again.
 */
export class ExplainedObjects {
  /** Paths of the constructs whose rules found something. */
  private readonly reported: ReadonlySet<string>;
  /** Paths of those whose rules found a secret. */
  private readonly betrayed: ReadonlySet<string>;
  /** And of those that depend on one of these. */
  private readonly dependent: ReadonlySet<string>;

  constructor({ problems, order: { dependencies }, paths }: Pick<ClusterTree, 'problems' | 'order' | 'paths'>) {
    const reported = new Set(problems.map(({ path }) => path));
    const isReported = (construct: number) => isWithin(paths[construct] ?? '', reported);
    const dependents = dependencies.filter(([, dependency]) => isReported(dependency));
    this.reported = reported;
    this.betrayed = new Set(problems.filter(isOnSecret).map(({ path }) => path));
    this.dependent = new Set(dependents.map(([dependent]) => paths[dependent] ?? ''));
  }

  /** Whether a rule of a construct around the object has found something. */
  byRule(path: string): boolean {
    return isWithin(path, this.reported);
  }

  /** Whether a rule of a construct around the object has found a private key or a login, which the object may repeat. */
  bySecret(path: string): boolean {
    return isWithin(path, this.betrayed);
  }

  /** Whether a rule of such a construct, or of one that it depends on, has: the PKI sets windows for others, too. */
  byDependency(path: string): boolean {
    return this.byRule(path) || isWithin(path, this.dependent);
  }
}

/** Rules of constructs hand over nothing but text: it speaks of a secret, or has a mark in the place of one. */
function isOnSecret({ message }: { readonly message: string }): boolean {
  return SECRET.test(message);
}

const SECRET = / holds a (?:private key|URL with a password)| has a user name or password |<credentials>|<private key>/;

/** Whether a path, or one above it, is among others. The cluster itself, before the first slash, makes no objects. */
function isWithin(path: string, others: ReadonlySet<string>): boolean {
  if (others.size === 0) return false;
  for (let end = path.length; end > path.indexOf('/'); end = path.lastIndexOf('/', end - 1)) {
    if (others.has(path.slice(0, end))) return true;
  }
  return false;
}
