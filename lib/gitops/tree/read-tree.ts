import { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { type Finding, findingsAt } from '#base/findings/finding';
import type { Problem } from '#base/findings/problem';
import { byText, remembered } from '#base/remembered';
import type { Values } from '#base/values';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { deepFreeze } from '#kubernetes/objects/plain-data';
import { apiGroup } from '#kubernetes/objects/scope';
import { isClusterScoped } from '#linkerd/api-groups';
import type {
  CheckedCluster,
  Declarations,
  PlacedDeclarations,
  PlacedRelease,
  Release,
} from '../../checks/cluster/checked-cluster';
import type { Placed, PlacedObject } from '../../checks/object-rule';
import { checkPlace, checkType } from '../../checks/object-type';
import type { Acknowledgement, LocatedAcknowledgement } from '../../checks/warnings';
import { readingOnce, readOnce } from './api-objects';
import { TREE_FINDINGS } from './findings';
import { homeNamespaceOf } from './home-namespace';
import type { IgnoreDifference } from './ignore-difference';
import { ignoredFieldsAt } from './ignored-fields';
import { type ChartDefaults, expandList } from './list-objects';
import { dependenciesOf, isAheadOfFolder, isAheadOfWorkloads } from './order';
import { isShared, sharedObject } from './plain-json';
import { type PlainObject, plainObjectsOf } from './prepare';
import type { ReadObject } from './read-object';
import { declarationProblems, declarationsOf } from './references';
import { meshValuesOf, releaseOf, renderOf } from './releases';
import { unread } from './unread';

/** The metadata of a construct that holds its rules, each a `Rule`. */
export const RULE = 'cdk8s-linkerd:rule';

/** The metadata of a construct that holds acknowledgements for it and all below it. */
export const ACKNOWLEDGEMENT = 'cdk8s-linkerd:acknowledgement';

/** A rule of one construct. It reports all that it finds, and never throws. */
export type Rule = (around: Surroundings) => readonly Problem[];

/** All objects and declarations of a cluster, or of a plain App. */
export interface Surroundings {
  readonly objects: readonly Pick<PlacedObject, 'object'>[];
  readonly declarations: readonly { readonly declarations: Declarations }[];
}

interface PlacedRule {
  readonly path: string;
  readonly rule: Rule;
}

/** The data that is read from the constructs of a cluster, and their rules. */
export interface ConstructTree extends CheckedCluster {
  /** The constructs by number, each right before its children. */
  readonly paths: readonly string[];
  /** The parent of each construct; -1 for the root. */
  readonly parents: readonly number[];
  /** Pairs of a construct and its dependency, which is synced with or before it. */
  readonly dependencies: readonly (readonly [dependent: number, dependency: number])[];
  /** Leaves that always come first (namespaces, CRDs), whatever their parents depend on. */
  readonly first: ReadonlySet<number>;
  /** Objects that are synced before all others in their folders. */
  readonly ahead: ReadonlySet<number>;
  readonly acknowledgements: readonly LocatedAcknowledgement[];
  /** Fields of objects that controllers change in the cluster. */
  readonly left: readonly IgnoreDifference[];
  readonly rules: readonly PlacedRule[];
  /** Problems of reading. */
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
  private readonly rendered: (Release & Placed)[] = [];
  private readonly meshes: Values[] = [];
  private readonly declarations: PlacedDeclarations[] = [];
  private readonly acknowledgements: LocatedAcknowledgement[] = [];
  private readonly left: IgnoreDifference[] = [];
  private readonly findings: Finding[] = [];
  private readonly rules: PlacedRule[] = [];
  private readonly paths: string[] = [];
  private readonly parents: number[] = [];
  private readonly first = new Set<number>();
  private readonly ahead = new Set<number>();
  private readonly numbers = new Map<IConstruct, number>();
  private readonly addresses = new Addresses();
  private readonly dependencies: { dependent: number; dependency: IConstruct }[] = [];
  private readonly plainDependencies: (readonly [dependent: number, dependency: number])[] = [];

  constructor(private readonly by: 'Platform' | 'cdk8s') {}

  visit(construct: IConstruct, parent: number, path: string): void {
    const number = this.addPath(path, parent);
    this.numbers.set(construct, number);
    for (const dependency of dependenciesOf(construct)) this.dependencies.push({ dependent: number, dependency });
    // Most constructs are objects, which declare nothing.
    const declares = construct.node.metadata.length > 0;
    if (declares) this.readDeclared(construct, { path, construct: number });
    if (this.by === 'Platform') {
      this.rules.push({ path, rule: () => validationsOf(construct) });
    }
    this.attempt(path, () => this.readLeaf(construct, { path, construct: number }));
    const plain = declares && this.by === 'Platform' ? plainObjectsOf(construct) : undefined;
    if (plain !== undefined) {
      this.addPlain(plain, construct, number, path);
      return;
    }
    for (const child of construct.node.children) {
      this.visit(child, number, path === '' ? child.node.id : `${path}/${child.node.id}`);
    }
  }

  finish(): ConstructTree {
    const { objects, releases, rendered, meshes, declarations, acknowledgements, left, rules, findings } = this;
    const { paths, parents, first, ahead } = this;
    const dependencies = this.dependencies.flatMap(({ dependent, dependency }) => {
      const number = this.numbers.get(dependency);
      if (number !== undefined) return [[dependent, number] as const];
      if (this.by === 'Platform') {
        const foreign = TREE_FINDINGS.dependencyForeign({ dependency: dependency.node.path });
        findings.push(...findingsAt(paths[dependent] ?? '', [foreign]));
      }
      return [];
    });
    return {
      objects,
      releases,
      rendered,
      meshes,
      declarations,
      acknowledgements,
      left,
      rules,
      findings,
      paths,
      parents,
      dependencies: [...dependencies, ...this.plainDependencies],
      first,
      ahead,
    };
  }

  private readDeclared(construct: IConstruct, place: Placed): void {
    const { path } = place;
    for (const declarations of declarationsOf(construct)) this.declarations.push({ ...place, declarations });
    this.findings.push(...findingsAt(path, declarationProblems(construct)));
    for (const by of dataOf<Acknowledgement>(construct, ACKNOWLEDGEMENT)) this.acknowledgements.push({ path, ...by });
    this.left.push(...ignoredFieldsAt(construct));
    const rendered = renderOf(construct);
    if (rendered !== undefined) this.rendered.push({ ...rendered, ...place });
    const mesh = meshValuesOf(construct);
    if (mesh !== undefined) this.meshes.push(mesh);
    for (const rule of rulesOf(construct)) this.rules.push({ path, rule });
  }

  private addPlain(plain: readonly PlainObject[], parent: IConstruct, number: number, around: string): void {
    const home = homeNamespaceOf(parent);
    const firstNumber = this.paths.length;
    for (const { id, object, checkedAs, after } of plain) {
      const path = `${around}/${id}`;
      const construct = this.addPath(path, number);
      this.add(object, { path, construct, home, isAhead: false, checkedAs });
      const before = after === undefined ? -1 : plain.findIndex((other) => other.id === after);
      if (before >= 0) this.plainDependencies.push([construct, firstNumber + before]);
    }
  }

  private addPath(path: string, parent: number): number {
    this.parents.push(parent);
    return this.paths.push(path) - 1;
  }

  private readLeaf(construct: IConstruct, place: Placed): void {
    const release = releaseOf(construct);
    if (release !== undefined) {
      const { chart, namespace, values } = release;
      this.releases.push({ ...place, release: { chart, namespace, values } });
    }
    if (!ApiObject.isApiObject(construct)) return;
    const read = readOnce(construct);
    if ('problems' in read) this.findings.push(...findingsAt(place.path, read.problems));
    else {
      const around = { home: homeNamespaceOf(construct), isAhead: isAheadOfFolder(construct) };
      this.addAll(read.object, { ...place, ...around }, construct.chart);
    }
    if (isAheadOfWorkloads(construct)) this.ahead.add(place.construct);
  }

  /** Adds an object, or the items of a list, each with its own number. */
  private addAll(read: KubernetesObject, place: ObjectPlace, defaults: ChartDefaults): void {
    const items = expandList(read, defaults);
    if (items === undefined) this.add(read, place);
    for (const item of items ?? []) {
      const path = `${place.path}/${item.place}`;
      if ('problem' in item) this.findings.push(...findingsAt(place.path, [item.problem]));
      else this.add(item.object, { ...place, path, construct: this.addPath(path, place.construct) });
    }
  }

  private add(read: KubernetesObject, { path, construct, home, isAhead, checkedAs }: ObjectPlace): void {
    const placed = placedForm(read);
    if ('problems' in placed) {
      this.findings.push(...findingsAt(path, placed.problems));
      return;
    }
    const { object } = placed;
    const instead = checkedAs && placedForm(checkedAs);
    const common = instead && 'object' in instead ? instead.object : this.addresses.without(object);
    this.objects.push({ path, construct, object, home, ...(common !== undefined && { checkedAs: common }) });
    if (isAhead) this.ahead.add(construct);
    if (isAhead || comesFirst(object)) this.first.add(construct);
  }

  /** Continues after an object that cannot be serialized, which must not hide other problems. */
  private attempt(path: string, read: () => void): void {
    try {
      read();
    } catch (error) {
      this.findings.push(...findingsAt(path, [unread(error)]));
    }
  }
}

/** Returns the rules of one construct, without its children. */
export function rulesOf(construct: IConstruct): readonly Rule[] {
  return dataOf<Rule>(construct, RULE);
}

function dataOf<T>(construct: IConstruct, type: string): readonly T[] {
  return construct.node.metadata.filter((entry) => entry.type === type).map((entry) => entry.data as T);
}

function validationsOf(construct: IConstruct): readonly Problem[] {
  return construct.node.validate().map((message) => TREE_FINDINGS.constructInvalid({ message: String(message) }));
}

interface ObjectPlace extends Placed, Pick<PlacedObject, 'home' | 'checkedAs'> {
  readonly isAhead: boolean;
}

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

/**
 * The label with which cdk8s-plus selects the pods of a workload: it follows from the path of its construct, and so it
 * is different in each cluster.
 */
const LABEL = 'cdk8s.io/metadata.addr';

/** Matches the label in JSON if its value is valid; the checks report invalid ones. */
const IN_JSON = /"cdk8s\.io\/metadata\.addr":"([A-Za-z0-9](?:[\w.-]{0,61}[A-Za-z0-9])?)"/g;

/** Numbers the addresses of workloads in one cluster, so that equal clusters have equal objects. */
export class Addresses {
  private readonly numbers = new Map<string, string>();

  /** Returns an object with numbers instead of addresses; undefined without any. */
  without(object: KubernetesObject): KubernetesObject | undefined {
    const text = addressedText(object);
    if (text === undefined) return undefined;
    return known(text.replace(IN_JSON, (_, address: string) => `"${LABEL}":"${this.numberOf(address)}"`));
  }

  private numberOf(address: string): string {
    const number = this.numbers.get(address) ?? String(this.numbers.size);
    this.numbers.set(address, number);
    return number;
  }
}

const addressedText = remembered((object: KubernetesObject): string | undefined => {
  if (!isShared(object)) return undefined;
  const text = JSON.stringify(object);
  return text.includes(`"${LABEL}":`) ? text : undefined;
});

const known = byText((text) => deepFreeze(JSON.parse(text) as KubernetesObject));
