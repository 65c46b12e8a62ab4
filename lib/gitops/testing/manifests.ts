import { counted } from '#base/counted';
import { type Finding, mergeEqual } from '#base/findings/finding';
import { suggest } from '#base/suggest';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { SynthError } from '../platform/report';
import { compare, type Mismatch, shown } from './match';

/** A pattern of an object: maps match maps that contain them; see `Match` for more. */
export interface ResourcePattern {
  readonly apiVersion?: unknown;
  readonly metadata?: unknown;
  readonly [field: string]: unknown;
}

/** A pattern of the parameters of a finding. */
export type ParametersPattern = Readonly<Record<string, unknown>>;

/** The findings of a synthesis: errors, and warnings that are not acknowledged. */
export class Findings {
  private readonly all: readonly Finding[];

  /** @internal */
  constructor(
    /** Name of the cluster or chart, for messages. */
    protected readonly name: string,
    all: readonly Finding[],
  ) {
    this.all = mergeEqual(all);
  }

  /** Returns the findings, or those with a code and matching parameters. */
  findings(code?: string, parameters?: ParametersPattern): readonly Finding[] {
    return this.all.filter(
      ({ problem }) =>
        (code === undefined || problem.code === code) &&
        compare(parameters ?? {}, problem.parameters ?? {}).length === 0,
    );
  }

  /**
   * Asserts that there is a finding with a code and matching parameters.
   *
   * @throws Error with the nearest finding
   */
  hasFinding(code: string, parameters: ParametersPattern = {}): void {
    if (this.findings(code, parameters).length > 0) return;
    const candidates = this.all.map(({ path, problem }) => ({
      label: `${problem.code} of ${path}`,
      value: { code: problem.code, parameters: problem.parameters ?? {} },
    }));
    const sought = `finding ${code}${Object.keys(parameters).length === 0 ? '' : ` with ${shown(parameters)}`}`;
    throw new Error(unmatched({ sought, name: this.name, candidates, pattern: { code, parameters } }));
  }

  /**
   * Asserts that there is no finding, or none with a code.
   *
   * @throws Error with the findings
   */
  hasNoFindings(code?: string): void {
    const found = this.findings(code);
    if (found.length === 0) return;
    const lines = found.map(({ path, problem }) => `- ${path}: ${problem.what} [${problem.code}]`);
    throw new Error([`${this.name} has ${counted(found.length, 'finding')}:`, ...lines].join('\n'));
  }
}

/** The objects and the findings of a cluster, a chart or an App. */
export class Manifests extends Findings {
  private known?: readonly KubernetesObject[];

  /** @internal */
  constructor(
    name: string,
    findings: readonly Finding[],
    private readonly read: () => readonly KubernetesObject[],
  ) {
    super(name, findings);
  }

  /**
   * All objects.
   *
   * @throws SynthError if there are errors
   */
  get objects(): readonly KubernetesObject[] {
    const errors = this.findings().filter(({ severity }) => severity === 'error');
    if (errors.length > 0) throw new SynthError(errors);
    this.known ??= this.read();
    return this.known;
  }

  /** Returns the objects of a kind, or those that match a pattern. */
  findResources(kind: string, pattern: ResourcePattern = {}): readonly KubernetesObject[] {
    return this.objects.filter((object) => object.kind === kind && compare(pattern, object).length === 0);
  }

  /**
   * Asserts that there is an object of a kind that matches a pattern.
   *
   * @example
   * const home = synthesize(platform).cluster('home');
   * home.hasResource('Deployment', { metadata: { name: 'linkerd-identity' }, spec: { replicas: 3 } });
   *
   * @throws Error with the nearest object
   */
  hasResource(kind: string, pattern: ResourcePattern = {}): void {
    const ofKind = this.ofKind(kind);
    if (ofKind.some((object) => compare(pattern, object).length === 0)) return;
    const candidates = ofKind.map((object) => ({ label: labelOf(object), value: object }));
    const sought = `${kind} like ${shown(pattern)}`;
    throw new Error(unmatched({ sought, name: this.name, candidates, pattern }));
  }

  /**
   * Asserts the number of objects of a kind.
   *
   * @throws Error with the names of the objects of this kind
   */
  resourceCountIs(kind: string, count: number): void {
    const found = this.objects.filter((object) => object.kind === kind);
    if (found.length === count) return;
    const names = found.map((object) => `- ${labelOf(object)}`);
    throw new Error([`${this.name} has ${found.length} ${kind}, not ${count}`, ...names].join('\n'));
  }

  /** @throws Error with a similar kind if there is no object of this kind */
  private ofKind(kind: string): readonly KubernetesObject[] {
    const found = this.objects.filter((object) => object.kind === kind);
    if (found.length > 0) return found;
    const [similar] = suggest(kind, new Set(this.objects.map((object) => object.kind)));
    throw new Error(`${this.name} has no ${kind}${similar === undefined ? '' : `: did you mean ${similar}?`}`);
  }
}

/** The objects of a Platform by cluster, and the findings of all clusters. */
export class PlatformManifests extends Findings {
  /** @internal */
  constructor(
    findings: readonly Finding[],
    private readonly folders: ReadonlyMap<string, Manifests>,
    /** The objects that Argo CD itself reads: AppProject and ApplicationSets. */
    readonly argocd: Manifests,
  ) {
    super('the platform', findings);
  }

  /** Names of the clusters. */
  get clusters(): readonly string[] {
    return [...this.folders.keys()];
  }

  /**
   * Returns the objects and the findings of a cluster.
   *
   * @throws RangeError if there is no such cluster
   */
  cluster(name: string): Manifests {
    const found = this.folders.get(name);
    if (found === undefined) throw new RangeError(`There is no cluster ${name}: there are ${this.clusters.join(', ')}`);
    return found;
  }
}

interface Candidate {
  readonly label: string;
  readonly value: unknown;
}

const MAX_SHOWN = 10;

function unmatched(search: {
  readonly sought: string;
  readonly name: string;
  readonly candidates: readonly Candidate[];
  readonly pattern: unknown;
}): string {
  const { sought, name, candidates, pattern } = search;
  const [nearest] = candidates
    .map(({ label, value }) => ({ label, mismatches: compare(pattern, value) }))
    .sort((a, b) => distanceOf(a.mismatches) - distanceOf(b.mismatches));
  if (nearest === undefined) return `${name} has no ${sought}`;
  const lines = nearest.mismatches.slice(0, MAX_SHOWN).map(({ path, message }) => `- ${path || '/'} ${message}`);
  const more = nearest.mismatches.length - lines.length;
  return [
    `${name} has no ${sought}`,
    `The nearest of ${candidates.length} is ${nearest.label}, in which`,
    ...lines,
    ...(more > 0 ? [`- and ${more} more`] : []),
  ].join('\n');
}

function distanceOf(mismatches: readonly Mismatch[]): number {
  const ofIdentity = mismatches.filter(({ path }) => path.startsWith('/metadata/name') || path === '/code');
  return mismatches.length + ofIdentity.length / 2;
}

function labelOf({ kind, metadata: { namespace, name } }: KubernetesObject): string {
  return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}
