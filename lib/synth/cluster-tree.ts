import { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { HelmRelease } from '../charts/helm-release';
import type { KubernetesObject } from '../kubernetes/kubernetes-object';
import { apiGroup, isClusterScoped } from '../kubernetes/scope';
import type { LocatedAcknowledgement, LocatedWarning } from '../problems/acknowledge';
import { describeException } from '../problems/exception';
import { type LocatedProblem, locate } from '../problems/located';
import type { Problem } from '../problems/problem';
import { redact } from '../problems/redaction';
import { acknowledgementsOf, warningsOf } from '../problems/warning';
import type { Cluster } from '../tree/cluster';
import { unchangedData } from '../tree/known-object';
import { homeNamespaceOf } from '../tree/manifest';
import { checkPlace, checkType } from '../tree/object-type';
import { dependenciesOf, isAheadOfFolder } from '../tree/order';
import { readObject } from '../tree/read-object';
import { type Declarations, declarationsOf } from '../tree/references';
import type { OrderTree } from './ordering/order-graph';
import { SharedObjects } from './shared-objects';

/** A place in the construct tree. */
export interface Placed {
  readonly path: string;
  /** Number of the construct in the tree's order. */
  readonly construct: number;
}

/** An object as it is to be applied. */
export interface PlacedObject extends Placed {
  readonly object: KubernetesObject;
  /** Folder of the object if it is cluster-scoped. */
  readonly home: string;
}

/** A chart that is to be released. */
export interface PlacedRelease extends Placed {
  readonly release: Pick<HelmRelease, 'chart' | 'namespace' | 'values'>;
}

/** What a construct declares for the reference check. */
export interface PlacedDeclarations extends Placed {
  readonly declarations: Declarations;
}

/** All that is read off a cluster's constructs, as plain data. */
export interface ClusterTree {
  readonly objects: readonly PlacedObject[];
  readonly releases: readonly PlacedRelease[];
  readonly declarations: readonly PlacedDeclarations[];
  readonly order: OrderTree;
  /** Objects that are synced before all else in their folders. */
  readonly ahead: ReadonlySet<number>;
  /** Paths of all constructs by number. */
  readonly paths: readonly string[];
  readonly warnings: readonly LocatedWarning[];
  readonly acknowledgements: readonly LocatedAcknowledgement[];
  /** What the constructs' own rules found, and what could not be read. */
  readonly problems: readonly LocatedProblem[];
}

/** Reads a cluster's construct tree, once, in the order in which constructs were added. */
export function readTree(cluster: Cluster): ClusterTree {
  const reader = new TreeReader();
  reader.visit(cluster, -1, cluster.node.path);
  return reader.finish();
}

/** Objects of all clusters. */
const SHARED = new SharedObjects();

class TreeReader {
  private readonly objects: PlacedObject[] = [];
  private readonly releases: PlacedRelease[] = [];
  private readonly declarations: PlacedDeclarations[] = [];
  private readonly warnings: LocatedWarning[] = [];
  private readonly acknowledgements: LocatedAcknowledgement[] = [];
  private readonly problems: LocatedProblem[] = [];
  private readonly paths: string[] = [];
  private readonly parents: number[] = [];
  private readonly first = new Set<number>();
  private readonly ahead = new Set<number>();
  private readonly numbers = new Map<IConstruct, number>();
  private readonly dependencies: { dependent: number; dependency: IConstruct }[] = [];

  visit(construct: IConstruct, parent: number, path: string): void {
    const number = this.paths.push(path) - 1;
    this.parents.push(parent);
    this.numbers.set(construct, number);
    for (const dependency of dependenciesOf(construct)) this.dependencies.push({ dependent: number, dependency });
    for (const declarations of declarationsOf(construct))
      this.declarations.push({ path, construct: number, declarations });
    for (const problem of warningsOf(construct)) this.warnings.push({ path, problem });
    for (const by of acknowledgementsOf(construct)) this.acknowledgements.push({ path, ...by });
    this.attempt(path, () => {
      for (const message of construct.node.validate()) this.problems.push({ path, message: redact(String(message)) });
    });
    this.attempt(path, () => this.readLeaf(construct, { path, construct: number }));
    for (const child of construct.node.children) this.visit(child, number, `${path}/${child.node.id}`);
  }

  finish(): ClusterTree {
    const { objects, releases, declarations, warnings, acknowledgements, problems } = this;
    const { paths, parents, first, ahead } = this;
    const dependencies = this.dependencies.flatMap(({ dependent, dependency }) => {
      const number = this.numbers.get(dependency);
      if (number !== undefined) return [[dependent, number] as const];
      problems.push(...locate(paths[dependent] ?? '', [foreignDependency(dependency)]));
      return [];
    });
    const order = { parents, dependencies, first };
    return { objects, releases, declarations, warnings, acknowledgements, problems, paths, order, ahead };
  }

  private readLeaf(construct: IConstruct, place: Placed): void {
    if (HelmRelease.isHelmRelease(construct)) {
      const { chart, namespace, values } = construct;
      this.releases.push({ ...place, release: { chart, namespace, values } });
    }
    if (!ApiObject.isApiObject(construct)) return;
    const source = unchangedData(construct);
    const known = source && SHARED.sharedOf(source);
    if (known !== undefined) {
      this.add(known, construct, place);
      return;
    }
    const read = readObject(construct);
    const unplaced = 'problems' in read ? read.problems : [...checkType(read.object), ...checkPlace(read.object)];
    if (unplaced.length > 0 || 'problems' in read) {
      this.problems.push(...locate(place.path, unplaced));
      return;
    }
    const object = withoutNeedlessNamespace(read.object);
    this.add(source === undefined ? SHARED.share(object) : SHARED.shareOf(source, object), construct, place);
  }

  private add(object: KubernetesObject, construct: IConstruct, place: Placed): void {
    this.objects.push({ ...place, object, home: homeNamespaceOf(construct) });
    if (isAheadOfFolder(construct)) this.ahead.add(place.construct);
    if (comesFirst(object) || isAheadOfFolder(construct)) this.first.add(place.construct);
  }

  /** Somebody else's rule, or an object that cannot be serialized, must not hide the other problems. */
  private attempt(path: string, read: () => void): void {
    try {
      read();
    } catch (error) {
      this.problems.push({ path, message: describeException(error) });
    }
  }
}

function comesFirst({ apiVersion, kind }: KubernetesObject): boolean {
  return kind === 'Namespace' ? apiGroup(apiVersion) === '' : kind === 'CustomResourceDefinition';
}

function withoutNeedlessNamespace(object: KubernetesObject): KubernetesObject {
  if (object.metadata.namespace === undefined || !isClusterScoped(object)) return object;
  const { namespace: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function foreignDependency(dependency: IConstruct): Problem {
  return {
    what: `It depends on ${dependency.node.path}, which is not a construct of this cluster`,
    why: 'Each cluster is synced by itself, so nothing can be ordered after what lies in another one',
    fix: 'depend on constructs that were made with the same Cluster as scope',
  };
}
