import { isSameValue } from '#base/same-value';
import { isMap, type Value } from '#base/values';
import { describeObject, type KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { apiGroup } from '#kubernetes/objects/scope';
import type { ChangedDefault } from '#linkerd/releases/changed-values';
import { type DefinitionChange, installedChanges } from '#linkerd/releases/definition-changes';
import type { Installed } from '#linkerd/releases/installed';
import { isMove, type ReleaseMove, releaseMoves } from '#linkerd/releases/release-moves';
import { isMended, metFaults } from '../../checks/linkerd/release-faults';
import type { FileReader } from '../../gitops/changes/file-contents';
import { anchorChange, meshTrust } from '../../gitops/changes/mesh-trust';
import { type ChartMove, chartMoves, type Inflate, inflateBoth } from '../compare/chart-moves';
import { type ClusterContents, clusterContents, objectsAt } from '../compare/cluster-contents';
import { type ChangedObject, type ChangeGroup, changeGroups, differentFiles } from '../compare/object-changes';
import { type ClusterFiles, clusterFiles } from '../compare/output';
import { lineSteps } from './line-steps';
import { findingsOf, findingsOfNew, type PlanFinding } from './plan-findings';
import { type Step, stepsOf } from './steps';
import { changedDefaults, type LostValue, lostValues } from './values';

/** The differences of one cluster. */
export interface ClusterPlan {
  readonly cluster: 'changed' | 'unchanged' | 'added' | 'removed';
  readonly moves: readonly ReleaseMove[];
  /** The charts that Helm inflates, if their version, values or delivery change. */
  readonly charts: readonly ChartMove[];
  readonly findings: readonly PlanFinding[];
  readonly definitions: readonly DefinitionChange[];
  /** Values that were set, but do not exist in the new release. */
  readonly lostValues: readonly LostValue[];
  /** Changed defaults of values that are not set. */
  readonly changedDefaults: readonly ChangedDefault[];
  /** Known faults of the earlier releases that affect the cluster, and that the new releases fix. */
  readonly mended: readonly MendedFault[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly ChangeGroup[];
  /** The number of changes of version labels, image tags and similar fields. */
  readonly noise: { readonly fields: number; readonly objects: number };
  /** The workloads that restart with the sync. */
  readonly restarts: readonly string[];
  /** The changed charts that the plan cannot render. */
  readonly unrendered: readonly string[];
  readonly steps: readonly Step[];
}

/** A fault that a change of release fixes. */
interface MendedFault {
  /** The upstream issue or pull request: `linkerd2#15404`. */
  readonly source: string;
  readonly fixed: string;
  /** A sentence about the fault, and about the affected object of the cluster. */
  readonly what: string;
  readonly why: string;
}

interface PlanTools {
  readonly reader: FileReader;
  readonly inflate: Inflate;
}

type Texts = ReadonlyMap<string, string>;

/** Compares two outputs of one cluster; either may be missing. */
export function clusterPlan(before: Texts | undefined, after: Texts | undefined, tools: PlanTools): ClusterPlan {
  if (before === undefined) return addition(clusterFiles(after ?? new Map()), tools);
  if (after === undefined) return { ...NOTHING, cluster: 'removed' };
  return comparison(clusterFiles(before), clusterFiles(after), tools);
}

function addition(next: ClusterFiles, { reader }: PlanTools): ClusterPlan {
  const { unreadable } = differentFiles({ files: new Map(), objects: [] }, { files: next.files, objects: [] }, reader);
  return {
    ...NOTHING,
    cluster: 'added',
    moves: movesTo(clusterContents(next, reader)),
    findings: findingsOfNew(unreadable.after, next),
  };
}

function movesTo({ installed = NONE }: ClusterContents): readonly ReleaseMove[] {
  return releaseMoves({}, installed.releases);
}

const NONE: Installed = { releases: {}, definitions: [] };

/** If the releases of one side cannot be read, returns the releases of the other side for both. */
function installedByBoth(
  before: Pick<ClusterContents, 'installed'>,
  after: Pick<ClusterContents, 'installed'>,
  { old, next }: Readonly<Record<'old' | 'next', ClusterFiles>>,
): Readonly<Record<'before' | 'after', Installed>> {
  const known = (contents: Pick<ClusterContents, 'installed'>, { index }: ClusterFiles) =>
    contents.installed ?? (index.damage === undefined ? NONE : undefined);
  const [first, second] = [known(before, old), known(after, next)];
  return { before: first ?? second ?? NONE, after: second ?? first ?? NONE };
}

const NOTHING: ClusterPlan = {
  cluster: 'unchanged',
  moves: [],
  charts: [],
  findings: [],
  definitions: [],
  lostValues: [],
  changedDefaults: [],
  mended: [],
  added: [],
  removed: [],
  changed: [],
  noise: { fields: 0, objects: 0 },
  restarts: [],
  unrendered: [],
  steps: [],
};

function comparison(old: ClusterFiles, next: ClusterFiles, tools: PlanTools): ClusterPlan {
  const [before, after] = [clusterContents(old, tools.reader), clusterContents(next, tools.reader)];
  const charts = chartMoves(before.charts, after.charts);
  const inflated = inflateBoth(before.charts, after.charts, charts, tools.inflate);
  const files = differentFiles(
    { files: old.files, objects: inflated.before },
    { files: next.files, objects: inflated.after },
    tools.reader,
  );
  const installed = installedByBoth(before, after, { old, next });
  const moves = releaseMoves(installed.before.releases, installed.after.releases);
  const definitions = installedChanges(installed.before, installed.after);
  const changed = changeGroups(files.changed);
  const noisy = files.changed.filter(({ noise }) => noise > 0);
  const folders = foldersOf(next);
  const removedFolders = foldersOf(old).filter((folder) => !folders.includes(folder));
  const restarts = restartedWorkloads(files.changed);
  const restarted = new Set([
    ...charts.map(({ namespace }) => namespace),
    ...restarts.map(({ namespace }) => namespace),
  ]);
  const injected = after.injected.filter((namespace) => !restarted.has(namespace));
  const anchor = anchorChange(meshTrust(old.files, tools.reader), meshTrust(next.files, tools.reader));
  const findings = findingsOf(before, after, { files, old, next, installed, anchor });
  const lost = lostValues(moves, { before: before.values, after: after.values });
  const defaults = changedDefaults(moves, after.values);
  const crds = before.values.crds?.values ?? {};
  const different = [charts, moves, findings, definitions, files.added, files.removed, files.changed];
  return {
    cluster: different.every(({ length }) => length === 0) ? 'unchanged' : 'changed',
    moves,
    charts,
    findings,
    definitions,
    lostValues: lost,
    changedDefaults: defaults,
    mended: moves.some(isMove) ? mendedFaults(before, installed, objectsAt(/\.yaml$/, old, tools.reader)) : [],
    added: names(files.added),
    removed: names(files.removed),
    changed,
    noise: { fields: noisy.reduce((sum, { noise }) => sum + noise, 0), objects: noisy.length },
    restarts: restarts.map(({ name }) => name),
    unrendered: inflated.unknown,
    steps: stepsOf({
      anchor,
      moves,
      definitions,
      namespaces: after.namespaces,
      removedFolders,
      injected,
      hasConfig: after.hasConfig,
      lines: lineSteps({ moves, lostValues: lost, changedDefaults: defaults, crds }),
    }),
  };
}

function mendedFaults(
  { values }: ClusterContents,
  installed: Readonly<Record<'before' | 'after', Installed>>,
  objects: readonly KubernetesObject[],
): readonly MendedFault[] {
  const inflated = Object.entries(values).flatMap(([part, given]) => (given.isWhole ? [] : [[part, given.values]]));
  const faults = metFaults({
    releases: installed.before.releases,
    inflated: Object.fromEntries(inflated),
    objects,
  });
  return faults
    .filter((fault) => {
      const release = installed.after.releases[fault.part];
      return release !== undefined && isMended(fault, release);
    })
    .map(({ source, fixed, warning: { what, why } }) => ({ source: `linkerd2${source}`, fixed, what, why }));
}

function names(objects: readonly KubernetesObject[]): readonly string[] {
  return objects.map(describeObject).sort();
}

function foldersOf({ files }: ClusterFiles): readonly string[] {
  return [...new Set([...files.keys()].map((path) => path.slice(0, path.indexOf('/'))))].sort();
}

const RESTARTED: Readonly<Record<string, readonly string[]>> = {
  apps: ['DaemonSet', 'Deployment', 'StatefulSet'],
  'argoproj.io': ['Rollout'],
};

interface Restarted {
  readonly name: string;
  readonly namespace: string | undefined;
}

/** Returns workloads with a changed pod template: even a change of an image tag replaces pods. */
function restartedWorkloads(changed: readonly ChangedObject[]): readonly Restarted[] {
  return changed
    .filter(({ before, after }) => isWorkload(after) && !isSameValue(podTemplate(before), podTemplate(after)))
    .map(({ after }) => ({ name: describeObject(after), namespace: after.metadata.namespace }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function isWorkload({ apiVersion, kind }: KubernetesObject): boolean {
  return RESTARTED[apiGroup(apiVersion)]?.includes(kind) ?? false;
}

function podTemplate({ spec }: KubernetesObject): Value | undefined {
  return isMap(spec) ? spec.template : undefined;
}
