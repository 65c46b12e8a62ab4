import { errorsAt, type FilePlace, type Finding, warningsAt } from '#base/findings/finding';
import type { Problem } from '#base/findings/problem';
import { grouped } from '#base/grouped';
import { objectOf } from '#base/is-object';
import { checkPlace, checkType } from '../../checks/object-type';
import { checkClusterReferences, checkForeignDefinitions } from '../../gitops/synth/cluster-references';
import { SyncOrder } from '../../gitops/synth/ordering/sync-order';
import type { ConstructTree } from '../../gitops/tree/read-tree';
import { reviewObjects, reviewTogether } from '../../gitops/tree/review';
import { KUBERNETES_FINDINGS } from '../../kubernetes/findings/findings';
import { describeObject } from '../../kubernetes/kubernetes-object';
import type { Reference } from '../../kubernetes/references';
import { apiGroup } from '../../kubernetes/scope';
import type { FoundChart } from './charts-in-files';
import type { AppliedObject } from './found';
import { installedIn, type KnownMesh, withCharts } from './installed-charts';
import type { FoundObject } from './read-file';
import { type OtherInput, readFiles } from './read-files';
import type { NotRead } from './unread';
import { worldsOf } from './worlds';

/** What the checks cannot read from files. */
export interface LintOptions extends OtherInput, KnownMesh {
  /**
   * Objects that exist, although no file has them. If they are given, everything else that no file has is missing.
   *
   * @default - what no file has may exist
   */
  readonly external?: readonly Reference[] | undefined;

  /**
   * Returns the cluster of a file; undefined for a file of all clusters.
   *
   * @default - folders with the same objects are a cluster each
   */
  readonly clusterOf?: ((file: string) => string | undefined) | undefined;
}

/** What was read, and what is wrong with it. */
export interface LintResult {
  readonly findings: readonly Finding[];
  /** The findings that annotations of their objects accept. */
  readonly accepted: readonly Finding[];
  readonly skipped: readonly NotRead[];
  /** The number of objects. */
  readonly objects: number;
  /** The number of files with objects. */
  readonly files: number;
  /** The number of findings about what may exist elsewhere, which are left out. */
  readonly unknown: number;
}

/**
 * Checks the objects in files by the rules for objects of constructs.
 *
 * @param files - texts by path
 */
export function lint(files: ReadonlyMap<string, string>, options: LintOptions = {}): LintResult {
  const { external } = options;
  const read = readFiles(files, options);
  const { objects } = read;
  const checked = objects.map((object) => ({ object, problems: checkForm(object) }));
  const sound = checked.flatMap(({ object, problems }) => (problems.length === 0 ? [object] : []));
  const worlds = clustersOf([...sound, ...read.charts], options);
  const known = { ...options, external: [...(external ?? []), ...read.generated] };
  const results = worlds.map((world) => checkWorld(world, known));
  const found = results.flatMap((result) => result.found);
  const sure = found.filter(({ finding: { problem } }) => external !== undefined || !isUnknown(problem));
  const sorted = distinct(sure).map((one) => ({ ...one, isAccepted: isAccepted(one) }));
  return {
    findings: once([
      ...read.problems.flatMap(({ problem, source }) => at(source, source.file, [problem])),
      ...checked.flatMap(({ object, problems }) => at(object.source, nameOf(object), problems)),
      ...sorted.flatMap(({ finding, isAccepted: isIt }) => (isIt ? [] : [finding])),
      ...sound.flatMap((object) => checkAcceptances(object, sorted)),
    ]),
    accepted: sorted.flatMap(({ finding, isAccepted: isIt }) => (isIt ? [finding] : [])),
    skipped: [...read.skipped, ...results.flatMap((result) => result.unread)],
    objects: objects.length,
    files: new Set(objects.map(({ source }) => source.file)).size,
    unknown: distinct(found).length - sorted.length,
  };
}

/** Problems because of which no other rule can read an object. */
function checkForm({ object }: FoundObject): readonly Problem[] {
  return [...checkType(object), ...checkPlace(object)];
}

function nameOf({ object: { kind, metadata } }: FoundObject): string {
  return typeof metadata?.name === 'string' ? describeObject({ kind, metadata }) : `${kind}`;
}

type Found = AppliedObject | FoundChart;

function clustersOf(all: readonly Found[], { clusterOf }: LintOptions): readonly (readonly Found[])[] {
  if (clusterOf === undefined) return worldsOf(all, fileOf, identityOf);
  const placed = all.map((found) => [clusterOf(fileOf(found)), found] as const);
  const shared = placed.flatMap(([cluster, found]) => (cluster === undefined ? [found] : []));
  const clusters = grouped(
    placed.flatMap(([cluster, found]) => (cluster === undefined ? [] : [[cluster, found] as const])),
  );
  return clusters.size === 0 ? [shared] : [...clusters.values()].map((own) => [...shared, ...own]);
}

function fileOf(found: Found): string {
  return 'object' in found ? (found.at ?? found.source.file) : found.source.file;
}

function identityOf(found: Found): string {
  if (!('object' in found)) return `chart ${found.chart.chart}`;
  const { apiVersion, kind, metadata } = found.object;
  return JSON.stringify([apiGroup(apiVersion), kind, metadata.namespace, metadata.name]);
}

interface FoundFinding {
  readonly found: FoundObject | undefined;
  readonly finding: Finding;
}

interface CheckedWorld {
  readonly found: readonly FoundFinding[];
  readonly unread: readonly NotRead[];
}

function checkWorld(all: readonly Found[], known: LintOptions): CheckedWorld {
  const world = all.flatMap((one) => ('object' in one ? [one] : []));
  const objects = treeOf(world, known.external ?? []);
  const installed = installedIn(all, (found) => objects.paths[world.indexOf(found)] ?? '');
  const tree = withCharts(objects, installed, known);
  const places = new Map<string, { readonly found?: FoundObject; readonly name: string; readonly source: FilePlace }>([
    ...installed.places,
    ...world.map(
      (found, index) => [tree.paths[index] ?? '', { found, name: nameOf(found), source: found.source }] as const,
    ),
  ]);
  const findings = [
    ...installed.findings,
    ...reviewObjects(tree),
    ...reviewTogether(tree),
    ...checkClusterReferences(tree, new SyncOrder([])),
    ...checkForeignDefinitions(tree),
  ];
  return {
    unread: installed.unread,
    found: findings.map((finding) => {
      const place = places.get(finding.path);
      if (place === undefined) return { found: undefined, finding };
      return { found: place.found, finding: { ...finding, path: place.name, source: place.source } };
    }),
  };
}

/** The paths of the objects are their numbers. */
function treeOf(world: readonly FoundObject[], external: readonly Reference[]): ConstructTree {
  const objects = world.map(({ object }, index) => ({
    path: `${index}`,
    construct: index,
    object,
    home: object.metadata.namespace ?? '',
  }));
  return {
    paths: objects.map(({ path }) => path),
    parents: objects.map(() => -1),
    dependencies: [],
    objects,
    releases: [],
    rendered: [],
    meshes: [],
    declarations: [{ path: '', construct: -1, declarations: { external } }],
    first: new Set(),
    ahead: new Set(),
    acknowledgements: [],
    left: [],
    rules: [],
    findings: [],
  };
}

/** Whether it concerns something that may be in other files, or in the cluster: unless its name is nearly one here. */
function isUnknown({ ofAbsence, parameters }: Problem): boolean {
  return ofAbsence === true && parameters?.similar === undefined;
}

/** A file may be in several worlds. */
function distinct(found: readonly FoundFinding[]): readonly FoundFinding[] {
  return [...new Map(found.map((one) => [keyOf(one.finding), one])).values()];
}

/** Several kustomizations may apply a file. */
function once(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.map((finding) => [keyOf(finding), finding])).values()];
}

function keyOf({ source, problem }: Finding): string {
  return JSON.stringify([source, problem]);
}

/** Annotations that accept a finding of their object, by its code, with the reason as their value. */
const ACCEPT = 'accept.cdk8s-linkerd/';

interface Acceptance {
  readonly code: string;
  readonly reason: unknown;
}

function acceptancesOf(found: FoundObject | undefined): readonly Acceptance[] {
  return Object.entries(objectOf(found?.object.metadata.annotations)).flatMap(([key, reason]) =>
    key.startsWith(ACCEPT) ? [{ code: key.slice(ACCEPT.length), reason }] : [],
  );
}

function isAccepted({ found, finding: { problem } }: FoundFinding): boolean {
  return acceptancesOf(found).some(({ code, reason }) => code === problem.code && hasReason(reason));
}

function hasReason(reason: unknown): boolean {
  return typeof reason === 'string' && reason.trim() !== '';
}

/** An annotation that accepts nothing hides the next finding of its code. */
function checkAcceptances(object: FoundObject, all: readonly FoundFinding[]): readonly Finding[] {
  const problems = acceptancesOf(object).flatMap(({ code, reason }): readonly Problem[] => {
    if (!hasReason(reason)) return [KUBERNETES_FINDINGS.acknowledgementRefusedReason({ code })];
    // Several kustomizations may apply it.
    const isIdle = !all.some((one) => one.found?.source === object.source && one.finding.problem.code === code);
    return isIdle ? [KUBERNETES_FINDINGS.acknowledgedNothing({ code })] : [];
  });
  return warningsAt(nameOf(object), problems).map((finding) => ({ ...finding, source: object.source }));
}

function at(source: FilePlace, path: string, problems: readonly Problem[]): readonly Finding[] {
  return errorsAt(path, problems).map((finding) => ({ ...finding, source }));
}
