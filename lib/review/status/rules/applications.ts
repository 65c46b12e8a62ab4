import { named, type StatusFinding, statusFinding } from '../finding';
import { STATUS_FINDINGS } from '../findings';
import type { ClusterIntent } from '../intent';
import type { ObservedApplication } from '../observation';

/** The Applications of a cluster, and the commit that they should be at. */
export interface ApplicationsLook {
  readonly intent: ClusterIntent;
  readonly applications: readonly ObservedApplication[];
  /** A commit, or its first characters. */
  readonly commit?: string;
}

/** Checks the Applications of one cluster: their source, their last sync and their health. */
export function checkApplications({ intent, applications, commit }: ApplicationsLook): readonly StatusFinding[] {
  const own = applicationsOf(intent, applications);
  return [
    ...checkPresent(intent, own),
    ...[...own.values()].flatMap((one) => [
      ...checkSource(one, intent),
      ...checkCommit(one, commit),
      ...checkSync(one),
      ...checkHealth(one),
    ]),
    ...(commit === undefined ? checkTogether([...own.values()]) : []),
  ];
}

function checkPresent(
  { name, folders }: ClusterIntent,
  own: ReadonlyMap<string, ObservedApplication>,
): readonly StatusFinding[] {
  const missing = folders.filter((folder) => !own.has(`${name}-${folder}`));
  return missing.length === 0 ? [] : [statusFinding(STATUS_FINDINGS.applicationsMissing({ folders: named(missing) }))];
}

/** Returns the Applications of a cluster's folders by name, as the ApplicationSets name them. */
export function applicationsOf(
  { name, folders }: ClusterIntent,
  applications: readonly ObservedApplication[],
): ReadonlyMap<string, ObservedApplication> {
  const names = new Set(folders.map((folder) => `${name}-${folder}`));
  return new Map(applications.filter((one) => names.has(one.name)).map((one) => [one.name, one]));
}

function checkSource(
  { name, path, targetRevision }: ObservedApplication,
  intent: ClusterIntent,
): readonly StatusFinding[] {
  const { ring } = intent;
  const folder = name.slice(intent.name.length + 1);
  const elsewhere = (actual: string, expected: string) =>
    statusFinding(STATUS_FINDINGS.applicationElsewhere({ name, actual, expected }));
  return [
    ...(ring?.revision !== undefined && targetRevision !== ring.revision
      ? [elsewhere(`the revision ${targetRevision}`, ring.revision)]
      : []),
    ...(ring?.path !== undefined && path !== `${ring.path}/${intent.name}/${folder}`
      ? [elsewhere(`the folder ${path}`, `${ring.path}/${intent.name}/${folder}`)]
      : []),
  ];
}

/** Number of characters by which people name a commit. */
const SHORT = 10;

function checkCommit({ name, revision = 'an unknown one' }: ObservedApplication, commit: string | undefined) {
  if (commit === undefined || revision.startsWith(commit)) return [];
  const actual = revision.slice(0, SHORT);
  return [statusFinding(STATUS_FINDINGS.applicationOtherCommit({ name, actual, expected: commit.slice(0, SHORT) }))];
}

/** Returns the commits that Applications are at. The revision of a chart is its version, and none of them. */
export function commitsOf(own: Iterable<ObservedApplication>): ReadonlySet<string> {
  return new Set([...own].flatMap(({ revision = '' }) => (/^[0-9a-f]{40}$/.test(revision) ? [revision] : [])));
}

function checkTogether(own: readonly ObservedApplication[]): readonly StatusFinding[] {
  const commits = commitsOf(own);
  if (commits.size < 2) return [];
  const shown = [...commits].map((commit) => commit.slice(0, SHORT)).sort();
  return [statusFinding(STATUS_FINDINGS.applicationsApart({ commits: named(shown) }))];
}

function checkSync({ name, sync, failure, errors, resources }: ObservedApplication): readonly StatusFinding[] {
  return [
    ...(sync === 'Synced'
      ? []
      : [statusFinding(STATUS_FINDINGS.applicationOutOfSync({ name, sync, resources: listOf(resources) }))]),
    ...(failure === undefined
      ? []
      : [statusFinding(STATUS_FINDINGS.applicationSyncFailed({ name, message: failure.message }), failure.since)]),
    ...errors.map(({ type: condition, message, since }) =>
      statusFinding(STATUS_FINDINGS.applicationInvalid({ name, condition, message }), since),
    ),
  ];
}

function checkHealth({ name, health, healthSince, resources }: ObservedApplication): readonly StatusFinding[] {
  const parameters = { name, health, resources: listOf(resources) };
  if (health === 'Healthy') return [];
  const problem = ['Progressing', 'Suspended'].includes(health)
    ? STATUS_FINDINGS.applicationProgressing(parameters)
    : STATUS_FINDINGS.applicationUnhealthy(parameters);
  return [statusFinding(problem, healthSince)];
}

function listOf(resources: readonly string[]): string {
  return resources.length === 0 ? '' : `: ${named(resources)}`;
}
