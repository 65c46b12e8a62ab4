import { type FilePlace, type Finding, findingsAt } from '#base/findings/finding';
import { headline, type Problem } from '#base/findings/problem';
import { objectOf } from '#base/is-object';
import { memberAt } from '#base/json-pointer';
import { byText } from '#base/remembered';
import { suggest } from '#base/suggest';
import { segmentsOf } from '#base/value-path';
import type { Values } from '#base/values';
import { KUBERNETES_FINDINGS } from '#kubernetes/findings/findings';
import { describeObject, namespaceOf } from '#kubernetes/objects/kubernetes-object';
import { isNamespace } from '#kubernetes/objects/pod-places';
import { INJECT } from '#linkerd/annotations';
import { partOfChart } from '#linkerd/releases/charts';
import { LINKERD_VERSIONS, type LinkerdVersion } from '#linkerd/releases/known-releases';
import { installedParts } from '../../checks/cluster/declared';
import { reviewObjects, reviewTogether } from '../../checks/cluster/review-cluster';
import { checkClusterReferences, checkForeignDefinitions } from '../../gitops/synth/cluster-references';
import { SyncOrder } from '../../gitops/synth/ordering/sync-order';
import { type FoundObject, lineFinder } from '../repository/documents';
import { valuesIn } from '../repository/repository-files';
import { checkForm, clustersIn, type FoundCluster, type KnownClusters } from './clusters';
import type { AppliedObject, ReadFiles } from './found';
import { type OtherInput, readFiles } from './read-files';
import { LINT_CODES } from './rules';
import type { NotRead } from './unread';

/** Facts that the checks cannot read from files. */
export type LintOptions = OtherInput & KnownClusters;

/** The result of a check. */
export interface LintResult {
  readonly findings: readonly Finding[];
  /** The findings that annotations of their objects accept. */
  readonly accepted: readonly Finding[];
  readonly skipped: readonly NotRead[];
  readonly objects: number;
  /** The number of files with objects. */
  readonly files: number;
  /** The number of files with values of charts. */
  readonly valuesFiles: number;
  /** The release for which values files are checked, if neither the files nor the configuration name one. */
  readonly assumed?: LinkerdVersion | undefined;
  /** The number of omitted findings about objects that may exist outside of the files. */
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
  const around = { ...options, external: [...(external ?? []), ...read.generated] };
  const together = { ...read, objects: objects.filter(({ isAlone }) => isAlone !== true) };
  const results = [
    ...clustersIn(together, around).map(checkCluster),
    ...objects.flatMap((one) =>
      one.isAlone === true ? [checkAlone(one, { ...around, repository: read.repository })] : [],
    ),
  ];
  const found = results.flatMap((result) => result.found);
  // The values of releases are checked with their releases.
  const used = new Set(results.flatMap((result) => result.texts));
  const values = read.values.filter(({ text }) => !used.has(text));
  const installed = new Set(results.flatMap((result) => result.release ?? []));
  const release = options.release ?? (installed.size === 1 ? [...installed][0] : undefined);
  const ofValues = checkValues(values, release);
  const known = results.flatMap(({ found: all, asksForProxies }) =>
    all.filter((one) => external !== undefined || isProven(one, asksForProxies)),
  );
  // Each file is parsed once, because it may have thousands of findings.
  const valuesFile = byText((text): ValuesFile => {
    const [file] = [...read.repository.files].find(([, one]) => one === text) ?? [];
    return { file, values: valuesIn(text) ?? {}, lineOf: lineFinder(text, 1) };
  });
  const sorted = distinct(known, ({ finding }) => finding).map(({ found: of, finding, texts = [] }) => {
    const source = of && placeOf(of, finding.problem, texts.map(valuesFile));
    const placed = source === undefined ? finding : { ...finding, source };
    return { found: of, finding: placed, isAccepted: isAccepted({ found: of, finding }) };
  });
  return {
    findings: distinct(
      [
        ...read.problems.flatMap(({ problem, source }) => at(source, source.file, [problem])),
        ...ofValues.findings,
        ...objects.flatMap((object) => at(object.source, nameOf(object), checkForm(object))),
        ...sorted.flatMap(({ finding, isAccepted: isIt }) => (isIt ? [] : [finding])),
        ...objects.flatMap((object) => checkAcceptances(object, sorted)),
      ],
      (finding) => finding,
    ),
    accepted: sorted.flatMap(({ finding, isAccepted: isIt }) => (isIt ? [finding] : [])),
    skipped: [
      ...read.skipped,
      ...results.flatMap((result) => result.unread),
      ...values.flatMap(({ file, unknown }) =>
        unknown === undefined ? [] : [{ why: 'version' as const, reason: unknown, source: { file } }],
      ),
    ],
    objects: objects.length,
    files: new Set(objects.map(({ source }) => source.file)).size,
    assumed: ofValues.assumed,
    valuesFiles: new Set(read.values.map(({ file }) => file)).size,
    unknown: found.length === known.length ? 0 : distinct(found, ({ finding }) => finding).length - sorted.length,
  };
}

/** Returns the findings about an object that do not depend on other objects of its cluster. */
function checkAlone(
  object: AppliedObject,
  { repository, ...known }: KnownClusters & Pick<ReadFiles, 'repository'>,
): CheckedCluster {
  const [only] = clustersIn({ objects: [object], charts: [], repository }, { ...known, clusterOf: undefined });
  if (only === undefined) return { found: [], asksForProxies: () => false, unread: [], texts: [] };
  const result = checkCluster(only);
  return { ...result, found: result.found.filter(({ finding }) => finding.problem.ofAbsence === undefined) };
}

/** Returns the findings about values files, and the release that is assumed for them. */
function checkValues(values: ReadFiles['values'], release: KnownClusters['release']) {
  if (values.length === 0) return { findings: [], assumed: undefined };
  const { assumedRelease, checkValuesFiles } = require('./values-files') as typeof import('./values-files');
  return { findings: checkValuesFiles(values, release), assumed: assumedRelease(values, release) };
}

/** Whether an object that the files lack is certainly missing in the cluster. */
function isProven({ found, finding }: FoundFinding, asksForProxies: (namespace: string) => boolean): boolean {
  const { ofAbsence } = finding.problem;
  if (ofAbsence === 'injection') return found !== undefined && asksForProxies(namespaceOf(found.object));
  return ofAbsence === undefined;
}

function nameOf({ object: { kind, metadata } }: FoundObject): string {
  return typeof metadata?.name === 'string' ? describeObject({ kind, metadata }) : `${kind}`;
}

interface FoundFinding {
  readonly found: FoundObject | undefined;
  readonly finding: Finding;
  /** The texts of the files with the values that the finding is about. */
  readonly texts?: readonly string[] | undefined;
}

interface CheckedCluster {
  readonly found: readonly FoundFinding[];
  /** Whether files request all proxies of a namespace; otherwise `linkerd inject` may add some. */
  readonly asksForProxies: (namespace: string) => boolean;
  readonly unread: readonly NotRead[];
  /** The texts of files with values of charts that objects install. */
  readonly texts: readonly string[];
  /** The release of the cluster's control plane, if known. */
  readonly release?: LinkerdVersion | undefined;
}

function checkCluster({ objects, installed, tree }: FoundCluster): CheckedCluster {
  const places = new Map<string, { readonly found?: FoundObject; readonly name: string; readonly source: FilePlace }>([
    ...installed.places,
    ...objects.map(
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
  const controlPlane = installedParts(tree).find(({ part }) => part === 'controlPlane');
  return {
    unread: installed.unread,
    release: LINKERD_VERSIONS.find((known) => known === controlPlane?.release),
    texts: [...installed.texts.values()].flat(),
    asksForProxies: proxiesAskedFor(objects, tree),
    found: findings.map((finding) => {
      const place = places.get(finding.path);
      if (place === undefined) return { found: undefined, finding };
      const { found, name, source } = place;
      return { found, finding: { ...finding, path: name, source }, texts: installed.texts.get(finding.path) };
    }),
  };
}

/** Assumes that files request all proxies of a mesh that they install, and of a namespace where they request one. */
function proxiesAskedFor(objects: FoundCluster['objects'], { releases }: FoundCluster['tree']) {
  const isInstalled = releases.some(({ release: { chart } }) => partOfChart(chart.name) === 'controlPlane');
  const asking = objects.filter(({ object }) => JSON.stringify(object).includes(`"${INJECT}":`));
  const namespaces = new Set(
    asking.map(({ object }) => (isNamespace(object) ? object.metadata.name : namespaceOf(object))),
  );
  return (namespace: string) => isInstalled || namespaces.has(namespace);
}

/** Returns the line of the field that a problem names first, or else the line of its object. */
function placeOf(found: FoundObject, problem: Problem, files: readonly ValuesFile[]): FilePlace {
  const { source, lineOf } = found;
  const ofValue = pathOfValue(found.object, problem);
  const elsewhere = ofValue === undefined ? inValues(problem, files) : undefined;
  if (elsewhere !== undefined) return elsewhere;
  if (lineOf === undefined || source.line === undefined) return source;
  if (ofValue !== undefined) return { ...source, line: lineOf(ofValue) };
  const text = headline(problem).replace(`${nameOf(found)}: `, '');
  // "metadata.annotations: linkerd.io/inject is …", "spec.ports[0].port is …".
  const [, path = '', key] = /^(\S+?)(?:: (\S+?)(?:\[\d+\])?)? /.exec(text) ?? [];
  return { ...source, line: lineOf(key === undefined ? segmentsOf(path) : [...segmentsOf(path), key]) };
}

interface ValuesFile {
  readonly file: string | undefined;
  readonly values: Values;
  readonly lineOf: ReturnType<typeof lineFinder>;
}

/** Returns the line of a value in the last of the files that have it. */
function inValues({ about }: Problem, files: readonly ValuesFile[]): FilePlace | undefined {
  const [root, ...path] = segmentsOf(about ?? '');
  if (root !== 'values' || path.length === 0) return undefined;
  const found = files.findLast(({ values }) => path.reduce<unknown>(memberAt, values) !== undefined);
  return found?.file === undefined ? undefined : { file: found.file, line: found.lineOf(path) };
}

/** The specs of Flux and Argo CD that contain the values of a chart. */
const SPECS_OF_VALUES: readonly (readonly string[])[] = [['spec'], ['spec', 'template', 'spec']];

/** Returns the path in an object of the value of a chart that a problem is about; undefined if the object has none. */
function pathOfValue(object: FoundObject['object'], { about }: Problem): readonly string[] | undefined {
  const [root, ...path] = segmentsOf(about ?? '');
  if (root !== 'values' || path.length === 0) return undefined;
  return SPECS_OF_VALUES.flatMap((spec) => {
    const sources = memberAt(spec.reduce<unknown>(memberAt, object), 'sources');
    const count = Array.isArray(sources) ? sources.length : 0;
    return [
      [...spec, 'values'],
      [...spec, 'source', 'helm', 'valuesObject'],
      ...Array.from({ length: count }, (_, index) => [...spec, 'sources', `${index}`, 'helm', 'valuesObject']),
    ].map((way) => [...way, ...path]);
  }).find((way) => way.reduce<unknown>(memberAt, object) !== undefined);
}

/** Removes equal findings: a file may belong to several clusters, and several kustomizations may apply it. */
function distinct<T>(all: readonly T[], findingOf: (one: T) => Finding): readonly T[] {
  return [...new Map(all.map((one) => [keyOf(findingOf(one)), one])).values()];
}

/** The other texts of a problem follow from these, and are left out to keep keys short. */
function keyOf({ source, problem: { code, cause, place, about, what } }: Finding): string {
  return [source?.file, source?.line, code, cause, place, about, what].join('\0');
}

/** Prefix of annotations that accept findings of their object. A code follows it, and the value is the reason. */
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

/** Reports annotations that match no finding, because they would hide the next finding of their code. */
function checkAcceptances(object: FoundObject, all: readonly FoundFinding[]): readonly Finding[] {
  const problems = acceptancesOf(object).flatMap(({ code, reason }): readonly Problem[] => {
    if (!LINT_CODES.includes(code)) {
      return [KUBERNETES_FINDINGS.acknowledgementRefusedRule({ code, similar: suggest(code, LINT_CODES)[0] })];
    }
    if (!hasReason(reason)) return [KUBERNETES_FINDINGS.acknowledgementRefusedReason({ code })];
    const ofCode = all.filter(({ finding }) => finding.problem.code === code);
    // Several kustomizations may apply the object.
    if (ofCode.some(({ found }) => found?.source === object.source)) return [];
    const other = ofCode.find(({ found, finding }) => found !== undefined && names(finding.problem, nameOf(object)));
    if (other === undefined) return [KUBERNETES_FINDINGS.acknowledgedNothing({ code })];
    return [KUBERNETES_FINDINGS.acknowledgedNothingElsewhere({ code, object: other.finding.path })];
  });
  return findingsAt(nameOf(object), problems).map((finding) => ({ ...finding, source: object.source }));
}

/** Whether a problem names an object. A longer name with the same beginning does not match. */
function names(problem: Problem, object: string): boolean {
  const [, ...after] = headline(problem).split(object);
  return after.some((text) => !/^[\w.-]/.test(text));
}

function at(source: FilePlace, path: string, problems: readonly Problem[]): readonly Finding[] {
  return findingsAt(path, problems).map((finding) => ({ ...finding, source }));
}
