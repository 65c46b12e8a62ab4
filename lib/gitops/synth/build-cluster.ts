import { App } from 'cdk8s';
import { describeException } from '#base/findings/exception';
import { type FilePlace, type Finding, findingsAt, located } from '#base/findings/finding';
import type { Problem } from '#base/findings/problem';
import { durationExample } from '#kubernetes/options/duration-like';
import type { Installed } from '#linkerd/releases/installed';
import { reviewObjects } from '../../checks/cluster/review-cluster';
import type { LocatedAcknowledgement } from '../../checks/warnings';
import { readingOnce } from '../tree/api-objects';
import { Cluster, type ClusterProps } from '../tree/cluster';
import { type ClusterFacts, factsOf } from '../tree/cluster-facts';
import { type InRepository, notingCreation, placeAt } from '../tree/creation-places';
import { TREE_FINDINGS } from '../tree/findings';
import { sharedObject } from '../tree/plain-json';
import { prepareTree } from '../tree/prepare';
import { PropsError } from '../tree/prop-of-shape';
import { type ConstructTree, readTree } from '../tree/read-tree';
import { reviewConstructs, withoutRepeated } from '../tree/review';
import { type Transform, transformed } from '../tree/transform';
import { type Arrangement, arrangementOf } from './arrangement';
import { SYNTH_FINDINGS } from './findings';
import type { ClusterInventory } from './inventory';
import { type FolderFiles, folderFiles } from './output/folder-files';
import { folderOf } from './output/layout';

/** A cluster that is not built yet. */
export interface ClusterDefinition {
  readonly name: string;
  readonly props: ClusterProps;
  /** Creates the constructs of the cluster. */
  readonly build: (cluster: Cluster) => void;
  /** Returns the place in the program, or in the file of a fleet, that adds the cluster. */
  readonly source?: (() => FilePlace | undefined) | undefined;
}

/** The facts of this synthesis; undefined for clusters that cannot be built. */
let knownFacts = new WeakMap<ClusterDefinition, ClusterFacts | undefined>();

const REQUESTED = new Set<ClusterDefinition>();

/**
 * Clears all facts at the start of a synthesis: a build function may return other constructs than in the previous
 * synthesis.
 */
export function forgetFacts(): void {
  knownFacts = new WeakMap();
}

/**
 * Returns the facts that a cluster's constructs publish; undefined if they cannot be built, which is reported at the
 * cluster. Builds the constructs and drops them if the cluster was not built before, so that a link does not depend on
 * the order or the selection of clusters.
 */
export function factsAbout(definition: ClusterDefinition): ClusterFacts | undefined {
  // Breaks cycles: no facts are returned about a cluster whose facts are being read.
  if (knownFacts.has(definition) || REQUESTED.has(definition)) return knownFacts.get(definition);
  REQUESTED.add(definition);
  try {
    const cluster = newCluster(definition);
    const result: unknown = definition.build(cluster);
    if (isPromise(result)) result.then(undefined, () => {});
    else noteFacts(definition, cluster);
  } catch {
    // The error is reported when the cluster itself is built.
  } finally {
    REQUESTED.delete(definition);
  }
  const facts = knownFacts.get(definition);
  // The result may be incomplete because of a cluster that is still being built.
  if (REQUESTED.size === 0) knownFacts.set(definition, facts);
  return facts;
}

function noteFacts(definition: ClusterDefinition, cluster: Cluster): void {
  knownFacts.set(definition, factsOf(cluster));
}

function newCluster({ name, props }: ClusterDefinition): Cluster {
  // Set explicitly: otherwise cdk8s reads both from the environment.
  return new Cluster(new App({ outdir: '', recordConstructMetadata: false }), name, props);
}

/** The output of a cluster's construct tree. */
export interface ClusterOutput {
  /** Contents of the files by path in the cluster's folder; empty if there are errors. */
  readonly files: ReadonlyMap<string, string>;
  readonly inventory: ClusterInventory;
  readonly installed: Installed;
  readonly findings: readonly Finding[];
  readonly acknowledgements: readonly LocatedAcknowledgement[];
}

/** The result of building a definition: without an inventory if it could not be built. */
export type BuiltCluster = Omit<ClusterOutput, 'inventory' | 'installed'> &
  Partial<Pick<ClusterOutput, 'inventory' | 'installed'>>;

/**
 * Builds one cluster in its own App and renders it to files. The tree is not referenced afterwards, so all clusters
 * need the memory of one. (App.synth is never called: its time is quadratic in the number of charts.)
 *
 * @param inRepository - set to add the file and line of their construct to findings
 */
export function buildCluster(definition: ClusterDefinition, inRepository?: InRepository): BuiltCluster {
  try {
    const cluster = newCluster(definition);
    if (inRepository === undefined) return build(cluster, definition);
    const built = build(cluster, definition, (scope) => notingCreation(() => definition.build(scope)));
    return {
      ...built,
      findings: built.findings.map((finding) => located(finding, placeAt(cluster, finding.path, inRepository))),
    };
  } catch (error) {
    return refused(
      findingsAt(definition.name, [TREE_FINDINGS.buildFailedReading({ error: describeException(error) })]),
    );
  }
}

function build(cluster: Cluster, definition: ClusterDefinition, create = definition.build): BuiltCluster {
  const { name } = definition;
  try {
    const result: unknown = create(cluster);
    if (isPromise(result)) return refused(findingsAt(name, [unfinished(result)]));
    noteFacts(definition, cluster);
  } catch (error) {
    return failed(cluster, failureOf(name, error));
  }
  try {
    prepareTree(cluster, 'Platform');
  } catch (error) {
    return failed(cluster, findingsAt(name, [TREE_FINDINGS.buildFailedPreparing({ error: describeException(error) })]));
  }
  const output = synthCluster(cluster);
  const isEmpty = output.files.size === 0 && output.findings.every(({ severity }) => severity === 'warning');
  return isEmpty
    ? { ...output, findings: [...output.findings, ...findingsAt(name, [SYNTH_FINDINGS.clusterEmpty()])] }
    : output;
}

/** The cluster is not prepared, because a construct may be incomplete. */
function failed(cluster: Cluster, failures: readonly Finding[]): BuiltCluster {
  return readingOnce(() => {
    const tree = readTree(cluster);
    return refused([...failures, ...reviewConstructs(tree)], tree.acknowledgements);
  });
}

function failureOf(cluster: string, error: unknown): readonly Finding[] {
  if (error instanceof PropsError) return findingsAt(error.path, error.problems);
  return findingsAt(cluster, [failure(error)]);
}

function refused(findings: readonly Finding[], acknowledgements: BuiltCluster['acknowledgements'] = []): BuiltCluster {
  return { files: new Map(), findings, acknowledgements };
}

/** TypeScript accepts async functions where a function returns nothing. */
function isPromise(result: unknown): result is PromiseLike<unknown> {
  return typeof result === 'object' && result !== null && 'then' in result && typeof result.then === 'function';
}

function unfinished(result: PromiseLike<unknown>): Problem {
  // A rejected promise must not end the process.
  result.then(undefined, () => {});
  return SYNTH_FINDINGS.clusterBuiltAsync();
}

/** Renders a prepared construct tree to files, or returns all its errors. Has no side effects. */
export function synthCluster(cluster: Cluster): ClusterOutput {
  return readingOnce(() => {
    const tree = transformTree(readTree(cluster), cluster.name, cluster.transforms);
    return outputOf(cluster, tree);
  });
}

function outputOf(cluster: Cluster, tree: ConstructTree): ClusterOutput {
  const arrangement = arrangementOf(tree);
  const { inventories, installed } = arrangement;
  const own = reviewConstructs(tree);
  const found = [...own, ...withoutRepeated(own, [...reviewObjects(tree), ...arrangement.findings])];
  const isRight = found.every(({ severity }) => severity === 'warning');
  const written = isRight ? filesOf(arrangement) : [];
  const unwritable = written.flatMap(({ findings }) => findings);
  const { name, destination, ring } = cluster;
  return {
    files: new Map(unwritable.length > 0 ? [] : written.flatMap(({ files }) => files)),
    inventory: { name, destination, folders: inventories, ...(ring === undefined ? {} : { ring }) },
    installed,
    findings: [...found, ...unwritable],
    acknowledgements: tree.acknowledgements,
  };
}

function filesOf({ folders, order, waves }: Arrangement): readonly FolderFiles[] {
  return folders.map((folder) => folderFiles(folder, { order, waves }));
}

/** Returns a tree with the objects that the transforms return. An unchanged object stays the same object. */
function transformTree(tree: ConstructTree, cluster: string, transforms: readonly Transform[]): ConstructTree {
  if (transforms.length === 0) return tree;
  const found: Finding[] = [];
  const objects = tree.objects.map((placed) => {
    const { path, object } = placed;
    const place = { cluster, folder: folderOf(placed) };
    const { object: after, problems } = transformed(object, place, transforms);
    found.push(...findingsAt(path, problems));
    if (after === object) return placed;
    const { checkedAs: _, ...others } = placed;
    return { ...others, object: sharedObject(after) };
  });
  return { ...tree, objects, findings: [...tree.findings, ...found] };
}

/** Explains exceptions of constructs and cdk8s whose message does not contain the cause. */
function failure(error: unknown): Problem {
  const text = describeException(error);
  const [, id, scope] = /There is already a Construct with name '(.*)' in (.*?)(?: \(at |$)/.exec(text) ?? [];
  const [place = ''] = /at [^()]*(?:\([^()]*\))?(?=\)$)/.exec(text) ?? [];
  if (id !== undefined && scope !== undefined) return TREE_FINDINGS.buildFailedId({ id, scope, place });
  const [, duration] = /Not a valid ISO duration: (.*?)(?: \(at |$)/.exec(text) ?? [];
  if (duration === undefined) return TREE_FINDINGS.buildFailedBuilding({ error: text });
  return TREE_FINDINGS.buildFailedDuration({ text: duration, place, proposed: durationExample(duration) });
}
