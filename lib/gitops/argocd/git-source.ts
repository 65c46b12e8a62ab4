import type { Problem } from '#base/findings/problem';
import { checkUrlCredentials } from '#kubernetes/urls';
import { ARGOCD_FINDINGS } from './findings';

/** Where Argo CD reads the output in Git. */
export interface GitSource {
  /** URL of the Git repository, without a password: `https://…`, `ssh://…` or `git@host:path`. */
  readonly repoUrl: string;

  /**
   * Branch, tag or commit.
   *
   * @default 'HEAD' - the repository's default branch
   */
  readonly revision?: string;

  /**
   * Folder in the repository with one folder per cluster; `''` is the repository's root.
   *
   * @default 'dist'
   */
  readonly path?: string;
}

/** A source with all defaults filled in. */
export interface ResolvedGitSource {
  readonly repoUrl: string;
  readonly revision: string;
  /** Empty, or a path that ends in a slash. */
  readonly prefix: string;
}

export function resolveGitSource({ repoUrl, revision = 'HEAD', path = 'dist' }: GitSource): ResolvedGitSource {
  return { repoUrl, revision, prefix: path === '' ? '' : `${path}/` };
}

/** Reports problems that keep Argo CD from reading the output. */
export function checkGitSource(source: Partial<GitSource>): readonly Problem[] {
  return [
    ...checkRepoUrl(source.repoUrl),
    ...checkRevision('revision', source.revision),
    ...checkPath('path', source.path),
  ];
}

const URL_FORMS = [
  /^https?:\/\/(?:[^\s/:@]+@)?[^\s/:@]+(?::\d+)?\/\S+$/,
  /^ssh:\/\/(?:[^\s/:@]+@)?[^\s/:@]+(?::\d+)?\/\S+$/,
  /^[^\s/:@]+@[^\s/:@]+:[^\s:]\S*$/,
  /^file:\/\/\/\S+$/,
];

function checkRepoUrl(url: string | undefined): readonly Problem[] {
  if (url === undefined || url === '') {
    return [ARGOCD_FINDINGS.repositoryRefusedUrlMissing()];
  }
  const credentials = checkUrlCredentials('repoUrl', url);
  if (credentials.length > 0) return credentials;
  // A project's sourceRepos are glob patterns, and the strings of an ApplicationSet are Go templates.
  if (URL_FORMS.some((form) => form.test(url)) && !/[*?[\]{}!\\]/.test(url)) return [];
  return [ARGOCD_FINDINGS.repositoryRefusedUrl({ url })];
}

/** Checks a branch, tag or commit, which messages call `field`. */
export function checkRevision(field: string, revision: string | undefined): readonly Problem[] {
  if (revision === undefined || (revision !== '' && revision === revision.trim() && !revision.includes('{{')))
    return [];
  return [ARGOCD_FINDINGS.repositoryRefusedRevision({ field, revision })];
}

/** A segment of a path that is not hidden, not a step upwards, and not read as a wildcard or template. */
const SEGMENT = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;

/** Checks a folder of the repository, which messages call `field`. */
export function checkPath(field: string, path: string | undefined): readonly Problem[] {
  if (path === undefined || path === '' || path.split('/').every((segment) => SEGMENT.test(segment))) return [];
  const segments = path.split('/').filter((segment) => SEGMENT.test(segment));
  return [
    ARGOCD_FINDINGS.repositoryRefusedPath({ field, path, example: segments.length > 0 ? segments.join('/') : 'dist' }),
  ];
}
