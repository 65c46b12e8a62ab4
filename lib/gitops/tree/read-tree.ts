import { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { Placed, PlacedObject } from '../../kubernetes/checks/object-rule';
import { checkPlace, checkType } from '../../kubernetes/checks/object-type';
import { describeException } from '../../kubernetes/findings/exception';
import { errorsAt, type Finding, warningsAt } from '../../kubernetes/findings/finding';
import type { IgnoreDifference } from '../../kubernetes/ignore-difference';
import type { KubernetesObject } from '../../kubernetes/kubernetes-object';
import { apiGroup } from '../../kubernetes/scope';
import { isClusterScoped } from '../../linkerd/api-groups';
import type { LocatedAcknowledgement } from '../../linkerd/warnings';
import { readingOnce, readOnce } from './api-objects';
import { TREE_FINDINGS } from './findings';
import { homeNamespaceOf } from './home-namespace';
import { ignoredFieldsAt } from './ignored-fields';
import { dependenciesOf, isAheadOfFolder, isAheadOfWorkloads } from './order';
import { sharedObject } from './plain-json';
import { type PlainObject, plainObjectsOf } from './prepare';
import type { ReadObject } from './read-object';
import { type Declarations, declarationsOf } from './references';
import { type Release, releaseOf, renderOf } from './releases';
import { acknowledgementsOf, rulesOf } from './rules';
import { type WideRule, wideRulesOf } from './wide-rules';

/** A chart to release. */
export interface PlacedRelease extends Placed {
  readonly release: Release;
}

/** The declarations of a construct for the reference check. */
export interface PlacedDeclarations extends Placed {
  readonly declarations: Declarations;
}

/** What is read from a cluster's constructs, as plain data. */
export interface ConstructTree {
  /** The constructs by number, each right before its children. */
  readonly paths: readonly string[];
  /** The parent of each construct; -1 for the root. */
  readonly parents: readonly number[];
  /** Pairs of a construct and one that comes with or before it. */
  readonly dependencies: readonly (readonly [dependent: number, dependency: number])[];
  readonly objects: readonly PlacedObject[];
  readonly releases: readonly PlacedRelease[];
  /** The releases whose objects are rendered without Helm. */
  readonly rendered: readonly Release[];
  readonly declarations: readonly PlacedDeclarations[];
  /** Leaves that always come first (namespaces, CRDs), whatever their parents depend on. */
  readonly first: ReadonlySet<number>;
  /** Objects that are synced before all others in their folders. */
  readonly ahead: ReadonlySet<number>;
  readonly acknowledgements: readonly LocatedAcknowledgement[];
  /** Fields of objects that controllers change in the cluster. */
  readonly left: readonly IgnoreDifference[];
  /** Findings of the constructs' own rules, and problems of reading. */
  readonly findings: readonly Finding[];
}

/**
 * Reads a prepared construct tree, once, in the order in which constructs were added.
 *
 * @param by - cdk8s itself reports errors of `node.addValidation`, and accepts dependencies between Apps
 */
export function readTree(root: IConstruct, by: 'Platform' | 'cdk8s' = 'Platform'): ConstructTree {
  const reader = new TreeReader(by);
  return readingOnce(() => {
    reader.visit(root, -1, root.node.path);
    return reader.finish();
  });
}

class TreeReader {
  private readonly objects: PlacedObject[] = [];
  private readonly releases: PlacedRelease[] = [];
  private readonly rendered: Release[] = [];
  private readonly declarations: PlacedDeclarations[] = [];
  private readonly acknowledgements: LocatedAcknowledgement[] = [];
  private readonly left: IgnoreDifference[] = [];
  private readonly findings: Finding[] = [];
  private readonly wideRules: { readonly path: string; readonly rule: WideRule }[] = [];
  private readonly paths: string[] = [];
  private readonly parents: number[] = [];
  private readonly first = new Set<number>();
  private readonly ahead = new Set<number>();
  private readonly numbers = new Map<IConstruct, number>();
  private readonly dependencies: { dependent: number; dependency: IConstruct }[] = [];

  constructor(private readonly by: 'Platform' | 'cdk8s') {}

  visit(construct: IConstruct, parent: number, path: string): void {
    const number = this.paths.push(path) - 1;
    this.parents.push(parent);
    this.numbers.set(construct, number);
    for (const dependency of dependenciesOf(construct)) this.dependencies.push({ dependent: number, dependency });
    for (const declarations of declarationsOf(construct))
      this.declarations.push({ path, construct: number, declarations });
    for (const by of acknowledgementsOf(construct)) this.acknowledgements.push({ path, ...by });
    this.left.push(...ignoredFieldsAt(construct));
    const rendered = renderOf(construct);
    if (rendered !== undefined) this.rendered.push(rendered);
    this.runRules(construct, path);
    this.attempt(path, () => this.readLeaf(construct, { path, construct: number }));
    const plain = this.by === 'Platform' ? plainObjectsOf(construct) : undefined;
    if (plain !== undefined) {
      this.addPlain(plain, construct, number, path);
      return;
    }
    for (const child of construct.node.children) {
      this.visit(child, number, path === '' ? child.node.id : `${path}/${child.node.id}`);
    }
  }

  finish(): ConstructTree {
    const { objects, releases, rendered, declarations, acknowledgements, left, findings } = this;
    for (const { path, rule } of this.wideRules) {
      this.attempt(path, () => findings.push(...warningsAt(path, rule({ objects, declarations }))));
    }
    const { paths, parents, first, ahead } = this;
    const dependencies = this.dependencies.flatMap(({ dependent, dependency }) => {
      const number = this.numbers.get(dependency);
      if (number !== undefined) return [[dependent, number] as const];
      if (this.by === 'Platform') {
        const foreign = TREE_FINDINGS.dependencyForeign({ dependency: dependency.node.path });
        findings.push(...errorsAt(paths[dependent] ?? '', [foreign]));
      }
      return [];
    });
    return {
      objects,
      releases,
      rendered,
      declarations,
      acknowledgements,
      left,
      findings,
      paths,
      parents,
      dependencies,
      first,
      ahead,
    };
  }

  private runRules(construct: IConstruct, path: string): void {
    for (const rule of wideRulesOf(construct)) this.wideRules.push({ path, rule });
    for (const { severity, check } of rulesOf(construct)) {
      const found = severity === 'error' ? errorsAt : warningsAt;
      this.attempt(path, () => this.findings.push(...found(path, check())));
    }
    if (this.by === 'cdk8s') return;
    this.attempt(path, () => {
      for (const message of construct.node.validate())
        this.findings.push(...errorsAt(path, [TREE_FINDINGS.constructInvalid({ message: String(message) })]));
    });
  }

  /** Adds objects without constructs, in the place where these would be. */
  private addPlain(plain: readonly PlainObject[], parent: IConstruct, number: number, around: string): void {
    const home = homeNamespaceOf(parent);
    for (const { id, object, checkedAs } of plain) {
      const path = `${around}/${id}`;
      const construct = this.paths.push(path) - 1;
      this.parents.push(number);
      this.add(object, { path, construct, home, isAhead: false, checkedAs });
    }
  }

  private readLeaf(construct: IConstruct, place: Placed): void {
    const release = releaseOf(construct);
    if (release !== undefined) {
      const { chart, namespace, values } = release;
      this.releases.push({ ...place, release: { chart, namespace, values } });
    }
    if (!ApiObject.isApiObject(construct)) return;
    const read = readOnce(construct);
    if ('problems' in read) this.findings.push(...errorsAt(place.path, read.problems));
    else this.add(read.object, { ...place, home: homeNamespaceOf(construct), isAhead: isAheadOfFolder(construct) });
    if (isAheadOfWorkloads(construct)) this.ahead.add(place.construct);
  }

  private add(read: KubernetesObject, { path, construct, home, isAhead, checkedAs }: ObjectPlace): void {
    const placed = placedForm(read);
    if ('problems' in placed) {
      this.findings.push(...errorsAt(path, placed.problems));
      return;
    }
    const { object } = placed;
    const instead = checkedAs && placedForm(checkedAs);
    const checked = instead && 'object' in instead ? { checkedAs: instead.object } : {};
    this.objects.push({ path, construct, object, home, ...checked });
    if (isAhead) this.ahead.add(construct);
    if (isAhead || comesFirst(object)) this.first.add(construct);
  }

  /**
   * Continues after a foreign rule that throws, or an object that cannot be serialized, which must not hide other
   * problems.
   */
  private attempt(path: string, read: () => void): void {
    try {
      read();
    } catch (error) {
      const failed = { step: 'Reading the construct', error: describeException(error) };
      this.findings.push(...errorsAt(path, [TREE_FINDINGS.buildFailed(failed)]));
    }
  }
}

/** The place of an object in the tree, and its declarations. */
interface ObjectPlace extends Placed, Pick<PlacedObject, 'home' | 'checkedAs'> {
  readonly isAhead: boolean;
}

/** Returns an object in its final form, or the reasons why its identity or place is unknown. */
function placedForm(object: KubernetesObject): ReadObject {
  const problems = [...checkType(object), ...checkPlace(object)];
  return problems.length > 0 ? { problems } : { object: sharedObject(withoutNeedlessNamespace(object)) };
}

function comesFirst({ apiVersion, kind }: KubernetesObject): boolean {
  return kind === 'Namespace' ? apiGroup(apiVersion) === '' : kind === 'CustomResourceDefinition';
}

function withoutNeedlessNamespace(object: KubernetesObject): KubernetesObject {
  if (object.metadata.namespace === undefined || !isClusterScoped(object)) return object;
  const { namespace: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
