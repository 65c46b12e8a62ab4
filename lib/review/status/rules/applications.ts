import { MINUTE } from '#base/time-units';
import type { ObservedApplication, ObservedApplicationSet } from '../../live/applications';
import type { Time } from '../../live/fields';
import { APPLICATION_FINDINGS } from '../application-findings';
import { named, type StatusFinding, statusFinding } from '../finding';
import type { ClusterIntent } from '../intent';

/** The objects in the namespace of Argo CD. */
export interface ObservedArgoCd {
  readonly applications: readonly ObservedApplication[];
  readonly sets: readonly ObservedApplicationSet[];
}

/** The Applications of a cluster, and the commit that they should be at. */
export interface ApplicationsInput extends ObservedArgoCd {
  readonly intent: ClusterIntent;
  readonly now: Time;
  /** A commit, or its first characters. */
  readonly commit?: string;
}

/** Checks the Applications of one cluster: their source, their last sync and their health. */
export function checkApplications({
  intent,
  applications,
  sets,
  commit,
  now,
}: ApplicationsInput): readonly StatusFinding[] {
  const own = applicationsOf(intent, applications);
  return [
    ...checkPresent(intent, own),
    ...checkSet(intent, sets),
    ...checkLeft(intent, applications),
    ...[...own.values()].flatMap((one) => [
      ...checkSource(one, intent),
      ...checkCommit(one, commit),
      ...checkSync(one),
      ...checkCurrent(one, now),
      ...checkHealth(one),
    ]),
    ...checkTogether([...own.values()]),
  ];
}

function checkPresent(
  { name, folders }: ClusterIntent,
  own: ReadonlyMap<string, ObservedApplication>,
): readonly StatusFinding[] {
  const missing = folders.filter((folder) => !own.has(`${name}-${folder}`));
  return missing.length === 0
    ? []
    : [statusFinding(APPLICATION_FINDINGS.applicationsMissing({ folders: named(missing) }))];
}

/** Reports Applications of removed folders, which remain until you delete them. */
function checkLeft(intent: ClusterIntent, applications: readonly ObservedApplication[]): readonly StatusFinding[] {
  const { name, folders } = intent;
  const place = placeOf(intent);
  if (place === undefined) return [];
  const known = new Set(folders.map((folder) => `${place}/${folder}`));
  const left = applications.filter(
    (one) => one.name.startsWith(`${name}-`) && one.path.startsWith(`${place}/`) && !known.has(one.path),
  );
  return left.length === 0
    ? []
    : [statusFinding(APPLICATION_FINDINGS.applicationsLeft({ names: named(left.map((one) => one.name)) }))];
}

function placeOf({ name, ring, source }: ClusterIntent): string | undefined {
  return ring?.path === undefined ? source?.folder : `${ring.path}/${name}`;
}

/** The Applications of a missing or failing ApplicationSet stay unchanged, so only this check reports it. */
function checkSet({ source }: ClusterIntent, sets: readonly ObservedApplicationSet[]): readonly StatusFinding[] {
  if (source === undefined) return [];
  const found = sets.find(({ name }) => name === source.set);
  if (found === undefined) return [statusFinding(APPLICATION_FINDINGS.applicationSetMissing({ name: source.set }))];
  if (found.error === undefined) return [];
  const { reason, message, since } = found.error;
  return [statusFinding(APPLICATION_FINDINGS.applicationSetFailed({ name: found.name, reason, message }), since)];
}

/** Returns the Applications of a cluster's folders by name, as the ApplicationSets name them. */
export function applicationsOf(
  { name, folders }: ClusterIntent,
  applications: readonly ObservedApplication[],
): ReadonlyMap<string, ObservedApplication> {
  const names = new Set(folders.map((folder) => `${name}-${folder}`));
  return new Map(applications.filter((one) => names.has(one.name)).map((one) => [one.name, one]));
}

/** An Application of the same name may be of another project, or of another repository. */
function checkSource(application: ObservedApplication, intent: ClusterIntent): readonly StatusFinding[] {
  const { name, project, repoUrl, destination, path, targetRevision } = application;
  const { ring, source } = intent;
  const place = placeOf(intent);
  const comparisons: readonly (readonly [field: string, actual: string, expected: string | undefined])[] = [
    ['project', project, source?.project],
    ['repository', repoUrl, source?.repoUrl],
    ['cluster', destination, source?.destination],
    ['revision', targetRevision, ring?.revision ?? source?.revision],
    ['folder', path, place && `${place}/${name.slice(intent.name.length + 1)}`],
  ];
  return comparisons.flatMap(([field, actual, expected]) =>
    expected === undefined || actual === expected
      ? []
      : [statusFinding(APPLICATION_FINDINGS.applicationElsewhere({ name, field, actual, expected }))],
  );
}

/** Number of characters of an abbreviated commit. */
const SHORT = 10;

function checkCommit({ name, revision }: ObservedApplication, commit: string | undefined) {
  if (commit === undefined || revision?.startsWith(commit)) return [];
  const expected = commit.slice(0, SHORT);
  return [
    statusFinding(
      revision === undefined
        ? APPLICATION_FINDINGS.applicationOtherCommitUnknown({ name, expected })
        : APPLICATION_FINDINGS.applicationOtherCommit({ name, actual: revision.slice(0, SHORT), expected }),
    ),
  ];
}

/** Returns the commits of Applications. Revisions of charts, which are versions, are left out. */
export function commitsOf(own: Iterable<ObservedApplication>): ReadonlySet<string> {
  return new Set([...own].flatMap(({ revision = '' }) => (/^[0-9a-f]{40}$/.test(revision) ? [revision] : [])));
}

function checkTogether(own: readonly ObservedApplication[]): readonly StatusFinding[] {
  const commits = commitsOf(own);
  if (commits.size < 2) return [];
  const shown = [...commits].map((commit) => commit.slice(0, SHORT)).sort();
  return [statusFinding(APPLICATION_FINDINGS.applicationsApart({ commits: named(shown) }))];
}

function checkSync({
  name,
  sync,
  failure,
  errors,
  warnings,
  resources,
}: ObservedApplication): readonly StatusFinding[] {
  return [
    ...(sync === 'Synced'
      ? []
      : [statusFinding(APPLICATION_FINDINGS.applicationOutOfSync({ name, sync, resources: named(resources) }))]),
    ...(failure === undefined
      ? []
      : [statusFinding(APPLICATION_FINDINGS.applicationSyncFailed({ name, message: failure.message }), failure.since)]),
    ...errors.map(({ type: condition, message, since }) =>
      statusFinding(APPLICATION_FINDINGS.applicationInvalid({ name, condition, message }), since),
    ),
    ...warnings.map(({ type: condition, message, since }) =>
      statusFinding(APPLICATION_FINDINGS.applicationContested({ name, condition, message }), since),
    ),
  ];
}

/** Argo CD compares each Application every few minutes. */
const STALE = 15 * MINUTE;

function checkCurrent({ name, reconciled }: ObservedApplication, now: Time): readonly StatusFinding[] {
  return reconciled === undefined || now - reconciled <= STALE
    ? []
    : [statusFinding(APPLICATION_FINDINGS.applicationStale({ name }), reconciled)];
}

function checkHealth(application: ObservedApplication): readonly StatusFinding[] {
  const { name, health, healthSince, resources, isSyncing } = application;
  const parameters = { name, health, resources: named(resources) };
  if (health === 'Healthy') {
    return isSyncing
      ? [statusFinding(APPLICATION_FINDINGS.applicationProgressingSyncing({ name, resources: named(resources) }))]
      : [];
  }
  const problem = ['Progressing', 'Suspended'].includes(health)
    ? APPLICATION_FINDINGS.applicationProgressing(parameters)
    : APPLICATION_FINDINGS.applicationUnhealthy(parameters);
  return [statusFinding(problem, healthSince)];
}
